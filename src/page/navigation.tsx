import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const BASE = "/ui/";

/** Opens a view of the page, such as `runs/r123456`. */
export function navigate(to: string): void {
  history.pushState(null, "", BASE + to);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/** The parts of the current path below /ui/. */
export function usePath(): readonly string[] {
  const read = (): string => location.pathname.slice(BASE.length);
  const [path, setPath] = useState(read);
  useEffect(() => {
    const onMove = (): void => setPath(read());
    addEventListener("popstate", onMove);
    return () => removeEventListener("popstate", onMove);
  }, []);
  return path.split("/").filter(Boolean).map(decodeURIComponent);
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly label?: string;
  readonly title?: string;
  readonly current?: boolean;
  readonly children?: ComponentChildren;
}

/** A link to a view. It is a real link, so that it can be opened in a new tab. */
export function Link({ to, label, current, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={BASE + to}
      aria-label={label}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

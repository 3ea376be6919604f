import { useEffect, useState } from "preact/hooks";

const STORAGE_KEY = "pith-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Switches between the system's theme, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find((one) => one === localStorage.getItem(STORAGE_KEY)) ?? "system",
  );
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(STORAGE_KEY, theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setTheme(next)}
      title={`Theme: ${theme}; switch to ${next}`}
    >
      {theme}
    </button>
  );
}

/** The value that a colour of the style sheet has in the current theme, for what is drawn without CSS. */
export function colorNamed(name: string, element: HTMLElement): string {
  element.style.color = `var(--${name})`;
  const { color } = getComputedStyle(element);
  element.style.removeProperty("color");
  return color;
}

/** Calls back when the theme is switched on the page or by the system. Returns the function that stops it. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const page = new MutationObserver(listener);
  system.addEventListener("change", listener);
  page.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", listener);
    page.disconnect();
  };
}

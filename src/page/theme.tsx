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

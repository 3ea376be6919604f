import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colorNamed, onThemeChange } from "./theme.tsx";

export interface Series {
  readonly label: string;
  /** The name of a colour of the style sheet. */
  readonly color: string;
  readonly values: readonly (number | null)[];
  readonly kind?: "bars" | "points";
}

interface ChartProps {
  readonly label: string;
  /** Seconds since 1970 if `isTime`, otherwise any numbers. */
  readonly x: readonly number[];
  readonly series: readonly Series[];
  readonly isTime?: boolean;
  readonly format: (value: number) => string;
  readonly xFormat?: (value: number) => string;
  readonly onPick?: (index: number) => void;
}

/** The range of the values, with zero in it, so that the chart does not exaggerate. */
const fromZero = (_plot: UPlot, min: number, max: number): [number, number] => [
  Math.min(0, min * 1.1),
  Math.max(max * 1.1, 1),
];

const HEIGHT = 180;
const AXIS_WIDTH = 72;

/** A chart over time. Screen readers get its label; the numbers are in a table beside it. */
export function Chart({ label, x, series, isTime = true, format, xFormat, onPick }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || x.length === 0) return undefined;
    const color = (name: string) => (): string => colorNamed(name, element);
    const axis = {
      stroke: color("dim"),
      grid: { stroke: color("line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui",
    };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        scales: { x: { time: isTime }, y: { range: fromZero } },
        cursor: { drag: { x: false, y: false }, points: { size: 6 } },
        axes: [
          {
            ...axis,
            ...(isTime ? {} : { incrs: [1, 2, 5, 10, 20, 50, 100] }),
            ...(xFormat && { values: (_plot: UPlot, values: number[]) => values.map(xFormat) }),
          },
          { ...axis, size: AXIS_WIDTH, values: (_plot: UPlot, values: number[]) => values.map(format) },
        ],
        series: [
          isTime || xFormat === undefined
            ? {}
            : {
                label: "run",
                value: (_plot: UPlot, value: number) => (value === null ? "" : xFormat(value)),
              },
          ...series.map((one) => ({
            label: one.label,
            stroke: color(one.color),
            width: 1.5,
            fill: one.kind === "bars" ? color(one.color) : undefined,
            paths: one.kind === "bars" ? UPlot.paths.bars?.({ size: [0.6, 40] }) : undefined,
            points: { show: one.kind !== "bars", size: 5, fill: color(one.color) },
            value: (_plot: UPlot, value: number | null) => (value === null ? "" : format(value)),
          })),
        ],
      } as UPlot.Options,
      [[...x], ...series.map(({ values }) => [...values])] as UPlot.AlignedData,
      element,
    );
    plot.over.addEventListener("click", () => {
      const { idx } = plot.cursor;
      if (typeof idx === "number") onPick?.(idx);
    });
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    const stopWatching = onThemeChange(() => plot.redraw());
    return () => {
      observer.disconnect();
      stopWatching();
      plot.destroy();
    };
  }, [x, series]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}

// Curves over steps, by uPlot: loaded when the first is drawn.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';

export interface Series {
	label: string;
	values: (number | null)[];
}

const strokes = ['--curve-1', '--curve-2', '--curve-3', '--curve-4'];
const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

export function Plot({ x, series, mark, pick, label, height = 160, range = [0, 100] }: { x: number[]; series: Series[]; mark?: number; pick?: (x: number) => void; label: string; height?: number; range?: [number, number] | null }) {
	const box = useRef<HTMLDivElement>(null);
	const plot = useRef<uPlot | null>(null);
	const marked = useRef(mark);
	const picking = useRef(pick);
	marked.current = mark;
	picking.current = pick;
	const names = series.map((s) => s.label).join('\n');
	const data = [x, ...series.map((s) => s.values)] as uPlot.AlignedData;
	useEffect(() => {
		let gone = false;
		let watch: ResizeObserver | null = null;
		void import('uplot').then(({ default: Chart }) => {
			if (gone || !box.current) return;
			const style = getComputedStyle(document.documentElement);
			const ink = style.getPropertyValue('--soft');
			const grid = { stroke: style.getPropertyValue('--line'), width: 1 };
			const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui, sans-serif', size: 38 };
			plot.current = new Chart(
				{
					width: box.current.clientWidth,
					height,
					legend: { show: series.length > 1, live: false },
					cursor: { drag: { x: false, y: false } },
					scales: { x: { time: false }, y: range ? { range: [range[0], range[1]] } : {} },
					axes: [{ ...axis, size: 24, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] }, axis],
					series: [{}, ...series.map((s, i) => ({ label: s.label.replaceAll('_', ' '), stroke: style.getPropertyValue(strokes[i % 4]), width: 2, dash: dashes[i % 4], spanGaps: true, points: { show: false } }))],
					hooks: {
						draw: [
							(u) => {
								if (marked.current === undefined) return;
								const at = u.valToPos(marked.current, 'x', true);
								u.ctx.save();
								u.ctx.strokeStyle = style.getPropertyValue('--accent');
								u.ctx.lineWidth = 2;
								u.ctx.beginPath();
								u.ctx.moveTo(at, u.bbox.top);
								u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
								u.ctx.stroke();
								u.ctx.restore();
							},
						],
					},
				},
				data,
				box.current,
			);
			plot.current.over.addEventListener('click', () => {
				const index = plot.current?.cursor.idx;
				if (index != null) picking.current?.(plot.current!.data[0][index]);
			});
			watch = new ResizeObserver(() => box.current && plot.current?.setSize({ width: box.current.clientWidth, height }));
			watch.observe(box.current);
		});
		return () => {
			gone = true;
			watch?.disconnect();
			plot.current?.destroy();
			plot.current = null;
		};
	}, [names, document.documentElement.dataset.theme]);
	useEffect(() => plot.current?.setData(data), [data.map((d) => [...d].join()).join(';')]);
	useEffect(() => plot.current?.redraw(), [mark]);
	return <div ref={box} class="plot" role="img" aria-label={label} style={{ minHeight: height + 'px' }} />;
}

// Pictures of figures. The server scales the numbers and writes every text, so no sum is formatted
// here; the table beside a picture says the same to whoever does not see it.
import { BarChart, FixedScaleAxis } from 'chartist'

/** As the server writes it. */
interface Picture {
  Labels: string[]
  Low: number
  High: number
  Ticks: { At: number; Text: string }[]
  Series: { Name: string; Values: number[]; Texts: string[] }[]
  Stacked: boolean
}

/** How many labels fit: about one for each 70 px. */
const LABEL_PX = 70

function draw(box: HTMLElement): void {
  if (!box.dataset.chart || box.dataset.drawn) return
  box.dataset.drawn = 'yes'
  const picture: Picture = JSON.parse(box.dataset.chart)
  const texts = new Map(picture.Ticks.map((tick) => [tick.At, tick.Text]))
  const every = Math.ceil(picture.Labels.length / Math.max(1, Math.floor(box.clientWidth / LABEL_PX)))
  const longest = Math.max(...picture.Ticks.map((tick) => tick.Text.length))
  new BarChart(
    box,
    { labels: picture.Labels, series: picture.Series.map((series) => series.Values) },
    {
      stackBars: picture.Stacked,
      low: picture.Low,
      high: picture.High,
      seriesBarDistance: 8,
      chartPadding: { top: 12, right: 8, bottom: 4, left: 4 },
      axisX: {
        showGrid: false,
        labelInterpolationFnc: (label, index) => (index % every === 0 ? String(label) : null),
      },
      axisY: {
        type: FixedScaleAxis,
        low: picture.Low,
        high: picture.High,
        ticks: picture.Ticks.map((tick) => tick.At),
        offset: 16 + longest * 7,
        labelInterpolationFnc: (at) => texts.get(Number(at)) ?? '',
      },
    },
  ).on('draw', (drawn) => {
    if (drawn.type !== 'bar') return
    const text = picture.Series[drawn.seriesIndex]?.Texts[drawn.index]
    if (!text) return
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title')
    title.textContent = text
    drawn.element.getNode().append(title)
  })
}

export function startCharts(): void {
  const all = (): void => {
    for (const box of document.querySelectorAll<HTMLElement>('[data-chart]')) draw(box)
  }
  all()
  document.addEventListener('htmx:afterSettle', all)
}

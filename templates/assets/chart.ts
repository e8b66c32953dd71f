// Pictures of figures, on the pages that have some. The server scales the numbers and writes every
// text, so no sum is formatted here; the table beside a picture says the same to whoever does not
// see it.
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js'

/** As the server writes it. */
interface Picture {
  Labels: string[]
  Low: number
  High: number
  Ticks: { At: number; Text: string }[]
  Series: { Name: string; Values: number[]; Texts: string[] }[]
  Stacked: boolean
}

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

const drawn: Chart[] = []

function draw(box: HTMLElement): void {
  const canvas = box.querySelector('canvas')
  if (!canvas || !box.dataset.chart) return
  const picture: Picture = JSON.parse(box.dataset.chart)
  const style = getComputedStyle(box)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const texts = new Map(picture.Ticks.map((tick) => [tick.At, tick.Text]))
  const font = { family: style.fontFamily, size: 11 }
  drawn.push(
    new Chart(canvas, {
      type: 'bar',
      data: {
        labels: picture.Labels,
        datasets: picture.Series.map((series, i) => ({
          label: series.Name,
          data: series.Values,
          backgroundColor: token(`--series-${i}`),
          maxBarThickness: 28,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: {
            stacked: picture.Stacked,
            grid: { display: false },
            border: { color: token('--dk-line') },
            ticks: { color: token('--chart-axis'), font, maxRotation: 0, autoSkipPadding: 16 },
          },
          y: {
            stacked: picture.Stacked,
            min: picture.Low,
            max: picture.High,
            grid: { color: token('--dk-line') },
            border: { display: false },
            afterBuildTicks: (axis) => {
              axis.ticks = picture.Ticks.map(({ At }) => ({ value: At }))
            },
            ticks: {
              color: token('--chart-axis'),
              font,
              autoSkip: false,
              callback: (at) => texts.get(Number(at)) ?? '',
            },
          },
        },
        plugins: {
          tooltip: {
            displayColors: false,
            titleFont: font,
            bodyFont: font,
            callbacks: {
              title: () => '',
              label: ({ datasetIndex, dataIndex }) =>
                picture.Series[datasetIndex]?.Texts[dataIndex] ?? '',
            },
          },
        },
      },
    }),
  )
}

/** Draws everything anew: colours are taken when a picture is drawn. */
function drawAll(): void {
  for (const chart of drawn.splice(0)) chart.destroy()
  for (const box of document.querySelectorAll<HTMLElement>('[data-chart]')) draw(box)
}

drawAll()
new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ['data-theme'] })

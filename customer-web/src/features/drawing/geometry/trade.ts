import { arrowHead } from './lines'
import { closed, corners, middle } from './plane'
import type { Frame, Sketch, Spot } from './sketch'

/** What a planned position may win to what it may lose, as prices; null without a loss. */
export function rewardToRisk(entry: number, target: number, stop: number): number | null {
  return entry === stop ? null : Math.abs(target - entry) / Math.abs(entry - stop)
}

/**
 * A planned position: entry, target and stop, as wide as the anchors lie apart. The drawing says what it means, and not whether it makes sense: a target on the
 * wrong side of the entry is drawn there, in the colour of a loss.
 */
function position(direction: 1 | -1) {
  return ({ spots, anchors, words }: Frame): Sketch => {
    const [entry, target, stop] = anchors
    const [a, b, c] = spots
    if (!entry || !target || !stop || !a || !b || !c) return {}
    const left = Math.min(a.x, b.x, c.x)
    const right = Math.max(a.x, b.x, c.x)
    const zone = (at: Spot): Spot[] => corners({ x: left, y: a.y }, { x: right, y: at.y })
    const tone = (price: number) => ((price - entry.price) * direction < 0 ? 'loss' : 'profit')
    const ratio = rewardToRisk(entry.price, target.price, stop.price)
    const centre = (left + right) / 2
    const side = (at: Spot) => (at.y < a.y ? 'above' : 'below')
    return {
      areas: [
        { spots: zone(b), tone: tone(target.price) },
        { spots: zone(c), tone: tone(stop.price) },
      ],
      lines: [
        {
          spots: [
            { x: left, y: a.y },
            { x: right, y: a.y },
          ],
        },
      ],
      labels: [
        {
          at: { x: centre, y: b.y },
          text: words.change(entry.price, target.price),
          side: side(b),
          tone: tone(target.price),
        },
        {
          at: { x: centre, y: c.y },
          text: words.change(entry.price, stop.price),
          side: side(c),
          tone: tone(stop.price),
        },
        ...(ratio === null
          ? []
          : [
              {
                at: { x: centre, y: a.y },
                text: `1 : ${words.ratio(ratio)}`,
                side: 'over' as const,
              },
            ]),
      ],
    }
  }
}

export const longPosition = position(1)
export const shortPosition = position(-1)

/** The change of price, the candles and the time between two anchors. */
export function measure({ spots: [a, b], anchors: [from, to], words }: Frame): Sketch {
  if (!a || !b || !from || !to) return {}
  const box = corners(a, b)
  const centre = middle(a, b)
  const up = [
    { x: centre.x, y: a.y },
    { x: centre.x, y: b.y },
  ] as const
  const along = [
    { x: a.x, y: centre.y },
    { x: b.x, y: centre.y },
  ] as const
  const tone = to.price < from.price ? 'loss' : 'profit'
  const text = [
    words.change(from.price, to.price),
    words.candles(Math.abs(to.index - from.index)),
    words.duration(Math.abs(to.at - from.at)),
  ].join(' · ')
  return {
    areas: [{ spots: box, tone }, { spots: arrowHead(...up) }, { spots: arrowHead(...along) }],
    lines: [{ spots: closed(box) }, { spots: [...up] }, { spots: [...along] }],
    labels: [{ at: { x: centre.x, y: b.y }, text, side: b.y < a.y ? 'above' : 'below', tone }],
  }
}

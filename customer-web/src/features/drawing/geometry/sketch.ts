/** A place in a pane, in CSS pixels from its top left corner. */
export type Spot = { x: number; y: number }

/** What a shape of a sketch stands for; each tone has its colour, `plain` that of the drawing. */
export type Tone = 'plain' | 'profit' | 'loss'

export type Polyline = { spots: Spot[]; dashed?: boolean; tone?: Tone }

/** A closed shape that is filled and has no outline of its own. */
export type Area = { spots: Spot[]; tone?: Tone }

export type Circle = { centre: Spot; radius: number }

/** A text at a spot: which side of it the text stands on. */
export type Label = {
  at: Spot
  text: string
  side: 'above' | 'below' | 'left' | 'right' | 'over'
  tone?: Tone
}

/** What a drawing looks like, in the order in which it is painted: areas, lines, circles, labels. */
export type Sketch = {
  areas?: Area[]
  lines?: Polyline[]
  circles?: Circle[]
  labels?: Label[]
}

/** An anchor of a drawing: its moment (Unix ms), the number of its candle from the oldest loaded one, and its price. */
export type Anchor = { at: number; index: number; price: number }

/** How numbers are written beside a drawing. */
export type Words = {
  price: (price: number) => string
  /** A change with its sign and its percentage of where it began. */
  change: (from: number, to: number) => string
  /** A ratio or a level, such as 0.618. */
  ratio: (ratio: number) => string
  /** A number of candles. */
  candles: (count: number) => string
  /** A length of time, ms. */
  duration: (ms: number) => string
  /** Degrees, counted from the horizontal, upwards positive. */
  angle: (degrees: number) => string
}

/** A candle's close with the x of its middle. */
export type Close = { x: number; close: number }

/** What a drawing is sketched from. All its anchors are placed. */
export type Frame = {
  spots: readonly Spot[]
  anchors: readonly Anchor[]
  /** The size of the pane, px. */
  width: number
  height: number
  words: Words
  /** The y of a price, px. */
  yOf: (price: number) => number
  /** The closes from one candle to another, both included, by their numbers; those that are loaded. */
  closes: (from: number, to: number) => Close[]
}

export type Sketcher = (frame: Frame) => Sketch

import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { TextPart } from '../src/i18n/text-parts.ts'

const first =
  /^(shell|ui(?!\.page)|offline|home|banner|market|product|quotes|error\.(http|platform|screen|guest|verify))\.|^error\.\w+$|^(lang|preferences|search)\.title$|^favourites\.(add|edit|none|remov|undo)|^trade\.(product|spread|spread_cost|balance|equity|margin_level|open_profit)$/

const trade =
  /^(trade|position|chart|error\.(order|market|trading|position|product|idempotency))\.|^error\.restriction\.trade$|^order\.(list|open_profit|summary)$|^receipt\.quote\.(ask|bid)$/

const waiting =
  /^(waiting|margin)\.|^position\.(close|close_all|close_by|protect|reverse|trail|way)\.|^position\.(ask_again|gone|unanswered|ways)$|^field\.future$|^trade\.(rule|time|no_fills|level_after)$|^order\.closes_first$/

/** The part that holds a text, by its key. */
export function partOf(key: string): TextPart {
  if (first.test(key)) return 'first'
  if (waiting.test(key)) return 'waiting'
  return trade.test(key) ? 'trade' : 'rest'
}

/**
 * Serves a locale file in parts: `en.json?part=first` holds what the first screen says, and so on. The
 * file itself stays one flat list, which the server reads too.
 */
export function splitTexts(): Plugin {
  return {
    name: 'split-texts',
    enforce: 'pre',
    async load(id) {
      const [, file, part] =
        /^(.*[\\/]locales[\\/]customer[\\/]\w+\.json)\?part=(\w+)$/.exec(id) ?? []
      if (!file) return null
      this.addWatchFile(file)
      const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
      const kept = Object.entries(texts).filter(([key]) => partOf(key) === part)
      return { code: JSON.stringify(Object.fromEntries(kept)), moduleType: 'json' }
    },
  }
}

// Writes the passwords that nobody may have: those of zxcvbn-ts' list (MIT) that are long enough to be asked about at all.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dictionary } from '@zxcvbn-ts/language-common'

const SHORTEST = 8
const out = join(import.meta.dirname, '../../app/trader/common-passwords.txt')
const words = dictionary['passwords-common'].filter(
  (word) => word.length >= SHORTEST && !/\s/.test(word),
)
writeFileSync(out, `${[...new Set(words.map((word) => word.toLowerCase()))].sort().join('\n')}\n`)

// What traders would write to run a script at the desk: the list that the tests of the desks have.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../admin/desk/desktest/payloads.json')

export const payloads = JSON.parse(readFileSync(file, 'utf8'))

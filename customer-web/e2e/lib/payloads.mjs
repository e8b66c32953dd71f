// The script payloads that hostile traders may write, shared with the back office's Go tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../admin/desk/desktest/payloads.json')

export const payloads = JSON.parse(readFileSync(file, 'utf8'))

import { expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { closePartSchema } from './close-part-schema'

const product = { lotMin: '0.10', lotStep: '0.01' }
const problems = (lots: string) =>
  safeParse(closePartSchema(product, '0.25'), { lots }).error?.issues.map(({ message }) => message)

test('a volume of the position’s steps can be closed', () => {
  expect(problems('0.25')).toBeUndefined()
  expect(problems('0.12')).toBeUndefined()
})

test('another one names the rule it breaks', () => {
  expect(problems('')).toEqual(['error.order.lots'])
  expect(problems('0.3')).toEqual(['error.order.lots'])
  expect(problems('0.2')).toEqual(['position.close.rest'])
})

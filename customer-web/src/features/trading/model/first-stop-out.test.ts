import { expect, test } from 'vitest'
import { firstStopOut } from './first-stop-out'

const position = (positionId: number, profit: string, lots = '1', productId = 1) => ({
  positionId,
  productId,
  profit,
  lots,
})
const always = () => true

test('the largest loss goes first', () => {
  const list = [position(1, '5'), position(2, '-7.000001'), position(3, '-7')]
  expect(firstStopOut(list, always)?.positionId).toBe(2)
})

test('of equal losses the larger volume, then the older one', () => {
  const list = [position(3, '-7', '2'), position(2, '-7', '1'), position(1, '-7', '2')]
  expect(firstStopOut(list, always)?.positionId).toBe(1)
})

test('a closed market is passed over', () => {
  const list = [position(1, '-9', '1', 301), position(2, '-1')]
  expect(firstStopOut(list, (productId) => productId === 1)?.positionId).toBe(2)
  expect(firstStopOut([], always)).toBeUndefined()
})

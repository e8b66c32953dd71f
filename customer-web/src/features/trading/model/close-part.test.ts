import { expect, test } from 'vitest'
import { isAll, partProblem, restOf, shareOfSum } from './close-part'

const forex = { lotMin: '0.01', lotStep: '0.01' }
const coins = { lotMin: '1', lotStep: '0.5' }

test.each([
  ['0.20', '0.20', null],
  ['0.2', '0.20', null],
  ['0.05', '0.20', null],
  ['0.055', '0.20', 'lots'],
  ['0.005', '0.20', 'lots'],
  ['0.21', '0.20', 'lots'],
  ['0', '0.20', 'lots'],
  ['', '0.20', 'lots'],
])('closing %s of %s lots: %s', (lots, of, problem) => {
  expect(partProblem(forex, lots, of)).toBe(problem)
})

test('what stays open keeps the minimum too', () => {
  expect(partProblem(coins, '1.5', '2')).toBe('rest')
  expect(partProblem(coins, '1', '2')).toBeNull()
  expect(partProblem(coins, '2', '2')).toBeNull()
})

test('volumes are compared as numbers', () => {
  expect(isAll('0.2', '0.20')).toBe(true)
  expect(isAll('0.19', '0.20')).toBe(false)
  expect(restOf('0.05', '0.2')).toBe('0.150000')
})

test('a sum is shared by lots', () => {
  expect(shareOfSum('-12.50', '0.1', '0.4')).toBe('-3.125000')
  expect(shareOfSum('1', '', '0.4')).toBeNull()
})

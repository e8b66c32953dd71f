import { expect, test } from 'vitest'
import { rankQuestions } from './rank-questions'

const titles = (questions: { title: string }[]) => questions.map(({ title }) => title)
const questions = [
  { title: 'How long does a deposit take?' },
  { title: 'Where is my withdrawal?' },
  { title: 'Why was my withdrawal sent back?' },
]

test('the question that shares most words comes first, and others not at all', () => {
  expect(titles(rankQuestions(questions, 'My withdrawal was sent back yesterday', 3))).toEqual([
    'Why was my withdrawal sent back?',
    'Where is my withdrawal?',
  ])
})

test('a text that shares no word has no questions', () => {
  expect(rankQuestions(questions, 'Hello there', 3)).toEqual([])
})

test('without a text the first questions show', () => {
  expect(titles(rankQuestions(questions, ' ', 2))).toEqual([
    'How long does a deposit take?',
    'Where is my withdrawal?',
  ])
})

test('Chinese texts are compared by characters', () => {
  const chinese = [{ title: '如何修改密码？' }, { title: '提现何时到账？' }]
  expect(titles(rankQuestions(chinese, '我的提现还没到账', 1))).toEqual(['提现何时到账？'])
})

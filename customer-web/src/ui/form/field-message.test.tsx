import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FieldMessage } from './field-message'

const region = () => document.querySelector('[aria-live="polite"]')

test('an error is announced in a place that was there before it', () => {
  const view = render(<FieldMessage id="message" hint="At most 5" />)
  const before = region()
  expect(before?.childElementCount).toBe(0)
  view.rerender(<FieldMessage id="message" hint="At most 5" error="Too much" />)
  expect(region()).toBe(before)
  expect(before?.textContent).toBe('Too much')
  expect(screen.queryByText('At most 5')).toBeNull()
  view.rerender(<FieldMessage id="message" />)
  expect(region()).toBe(before)
  expect(document.getElementById('message')).toBeNull()
})

test('a hint is not announced, though it changes', () => {
  const view = render(<FieldMessage id="message" hint="At most 5" />)
  view.rerender(<FieldMessage id="message" hint="At most 4" />)
  expect(document.getElementById('message')?.textContent).toBe('At most 4')
  expect(region()?.textContent).toBe('')
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { changeLanguage } from '@/i18n/i18n'
import { enterDate } from '@/testing/enter-date'
import { renderPart } from '@/testing/render-app'
import { DateField } from './date-field'
import { dateFormat } from './date-locale'

vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  await import('./date-picker')
}, 60_000)

function Field({ first, onChange }: { first: string; onChange: (day: string) => void }) {
  const [day, setDay] = useState(first)
  const keep = (next: string) => {
    setDay(next)
    onChange(next)
  }
  return (
    <>
      <DateField label="From" value={day} max="2026-11-27" onChange={keep} />
      <button type="button" onClick={() => setDay('2026-11-01')}>
        First of the month
      </button>
    </>
  )
}

test('a date is typed part by part, and is none until it is complete', async () => {
  const onChange = vi.fn()
  await renderPart(<Field first="" onChange={onChange} />)
  const field = await screen.findByRole('group', { name: 'From' })
  await userEvent.click(within(field).getByRole('spinbutton', { name: 'Month' }))
  await userEvent.keyboard('1105')
  expect(within(field).getByRole('spinbutton', { name: 'Day' }).textContent).toBe('05')
  expect(onChange.mock.calls.flat().filter((day) => day !== '')).toEqual([])
  await userEvent.keyboard('2026')
  expect(onChange).toHaveBeenLastCalledWith('2026-11-05')
})

test('a day is picked from the calendar, none after the last one allowed', async () => {
  const onChange = vi.fn()
  await renderPart(<Field first="2026-11-05" onChange={onChange} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Change date/ }))
  const calendar = await screen.findByRole('dialog')
  expect(within(calendar).getByRole('gridcell', { name: '28' })).toHaveProperty('disabled', true)
  await userEvent.click(within(calendar).getByRole('gridcell', { name: '20' }))
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith('2026-11-20'))
})

test('follows the value from outside, and can be emptied', async () => {
  const onChange = vi.fn()
  await renderPart(<Field first="2026-11-05" onChange={onChange} />)
  const field = await screen.findByRole('group', { name: 'From' })
  const shown = () => field.querySelector('input')?.value
  expect(shown()).toBe('11/05/2026')
  await enterDate('From', '')
  expect(onChange).toHaveBeenLastCalledWith('')
  await userEvent.click(screen.getByRole('button', { name: 'First of the month' }))
  expect(shown()).toBe('11/01/2026')
})

test.each([
  ['en-GB', 'M', 'Monday'],
  ['en-US', 'S', 'Sunday'],
])('a week in %s begins with its first weekday', async (device, letter, name) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([device])
  await renderPart(<Field first="2026-11-05" onChange={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Change date/ }))
  const [first] = within(await screen.findByRole('dialog')).getAllByRole('columnheader')
  expect(first?.textContent).toBe(letter)
  expect(first?.getAttribute('aria-label')).toBe(name)
})

test('the order of the parts is that of the region', () => {
  expect(dateFormat('en-GB')).toBe('DD/MM/YYYY')
  expect(dateFormat('en-US')).toBe('MM/DD/YYYY')
  expect(dateFormat('de')).toBe('DD.MM.YYYY')
  expect(dateFormat('zh-Hans-CN')).toBe('YYYY/MM/DD')
  expect(dateFormat('ar')).toBe('DD/MM/YYYY')
})

test('the calendar speaks the language of the app', async () => {
  await changeLanguage('ar')
  await renderPart(<Field first="2026-11-05" onChange={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: /^تغيير التاريخ/ }))
  const calendar = await screen.findByRole('dialog')
  expect(within(calendar).getByText(/نوفمبر/)).toBeTruthy()
  expect(within(calendar).getByRole('button', { name: 'الشهر التالي' })).toBeTruthy()
  await changeLanguage('en')
})

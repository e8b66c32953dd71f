import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { ZoneField } from './zone-field'

vi.setConfig({ testTimeout: 60_000 })

test('offers this device, UTC, and the zones of the world by name and offset', async () => {
  const onChange = vi.fn()
  await renderPart(<ZoneField value="utc" onChange={onChange} />)
  const field = screen.getByRole('combobox', { name: 'Time zone' })
  expect(field).toHaveProperty('value', 'UTC')

  await userEvent.clear(field)
  await userEvent.type(field, 'tokyo')
  const options = within(screen.getByRole('listbox')).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['Asia/Tokyo, UTC+9'])
  await userEvent.click(options[0] as HTMLElement)
  expect(onChange).toHaveBeenCalledExactlyOnceWith('Asia/Tokyo')

  await userEvent.clear(field)
  await userEvent.type(field, 'this device')
  await userEvent.click(screen.getByRole('option', { name: /^This device \(/ }))
  expect(onChange).toHaveBeenLastCalledWith('local')
})

test('a name that is no zone chooses nothing', async () => {
  const onChange = vi.fn()
  await renderPart(<ZoneField value="Asia/Tokyo" onChange={onChange} />)
  const field = screen.getByRole('combobox', { name: 'Time zone' })
  await userEvent.clear(field)
  await userEvent.type(field, 'Atlantis')
  expect(screen.getByText('No such time zone.')).toBeTruthy()
  await userEvent.tab()
  expect(field).toHaveProperty('value', 'Asia/Tokyo, UTC+9')
  expect(onChange).not.toHaveBeenCalled()
})

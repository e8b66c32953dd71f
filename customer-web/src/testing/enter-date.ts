import { fireEvent, screen } from '@testing-library/react'

/**
 * Types a day, given as `yyyy-mm-dd`, into a date field in the American order, which is that of the tests; and a time
 * where the field has one.
 */
export async function enterDate(label: string, day: string, time?: string): Promise<void> {
  const field = await screen.findByRole('group', { name: label })
  const input = field.querySelector('input')
  if (!input) throw new Error(`${label} is no date field`)
  const [year, month, date] = day.split('-')
  fireEvent.change(input, {
    target: { value: day && [`${month}/${date}/${year}`, time].filter(Boolean).join(' ') },
  })
}

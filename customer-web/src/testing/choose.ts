import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Picks an option of a choice that opens in a menu. */
export async function choose(field: string, option: string): Promise<void> {
  await userEvent.click(await screen.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

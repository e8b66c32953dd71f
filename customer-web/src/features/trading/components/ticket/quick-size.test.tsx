import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { gold } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { openTicket, useTicket } from '../../model/ticket-store'
import { QuickSize } from './quick-size'

test('the size beside the buttons is the ticket’s, and the options open the ticket', async () => {
  const open = vi.fn()
  openTicket(gold)
  await renderPart(<QuickSize product={gold} onOptions={open} />)
  const field = await screen.findByRole('textbox', { name: 'Volume' })
  expect(field).toHaveProperty('value', gold.lotMin)
  fireEvent.change(field, { target: { value: '0.25' } })
  expect(useTicket.getState().lots).toBe('0.25')
  expect(open).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Order options' }))
  expect(open).toHaveBeenCalledOnce()
})

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '@/api/reason'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { toast } from '@/ui/toast/toast-store'
import { positionFillsQuery } from '../api/history'

/** Opens the receipt of the fill that opened a position, once it is found. */
export function useOpeningProof(positionId: number): { open: () => void; busy: boolean } {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    try {
      const fills = await client.fetchQuery(positionFillsQuery(positionId))
      const opening = fills.find(({ entry }) => entry === 'open')
      if (opening) openReceipt(opening.fillId)
    } catch (error) {
      toast.error(reasonOf(error).reason)
    } finally {
      setBusy(false)
    }
  }
  return { open: () => void open(), busy }
}

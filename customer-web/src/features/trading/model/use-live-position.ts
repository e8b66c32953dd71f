import type { Wire } from '@/api/client'
import { useAccount } from '@/live/account-store'

type Position = Wire['Position']

/** The current state of a position, and whether it was closed. */
export function useLivePosition(position: Position): { position: Position; gone: boolean } {
  const { positionId } = position
  const live = useAccount(({ positions }) =>
    positions?.find((one) => one.positionId === positionId),
  )
  const known = useAccount(({ positions }) => positions !== null)
  return { position: live ?? position, gone: known && live === undefined }
}

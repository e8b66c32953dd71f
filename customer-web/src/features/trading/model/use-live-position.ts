import type { Wire } from '@/api/client'
import { useAccount } from '@/live/account-store'

type Position = Wire['Position']

/** The current state of a position, and whether it was closed. */
export function useLivePosition(position: Position): { position: Position; gone: boolean } {
  const { positionId } = position
  const live = useAccount(({ positions }) =>
    positions?.find((one) => one.positionId === positionId),
  )
  return { position: live ?? position, gone: useIsGone(positionId) }
}

/** Whether a position was closed. */
export function useIsGone(positionId: number): boolean {
  return useAccount(
    ({ positions }) =>
      positions !== null && !positions.some((one) => one.positionId === positionId),
  )
}

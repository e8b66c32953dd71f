import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadPicture } from '../api/upload'
import { useInsertRechargeAppeal, useUpdateRechargePaid } from '../api/writes'
import type { ProofStage } from './use-send-proof'

/** A trader's statement about a payment over the counter; without an appeal it reports the payment as made. */
export type ProviderDepositStatement = { picture: File | undefined; appeal: string | undefined }

/** Uploads a picture once, however often the submission is retried, and submits it with the statement. */
export function useSendProviderDepositStatement(rechargeId: number) {
  const [stage, setStage] = useState<ProofStage | null>(null)
  const uploaded = useRef<{ picture: File; name: string } | null>(null)
  const paid = useUpdateRechargePaid(() => setStage('checking'))
  const appealed = useInsertRechargeAppeal(() => setStage('checking'))
  const mutation = useMutation({
    mutationFn: async ({ picture, appeal }: ProviderDepositStatement) => {
      if (picture && uploaded.current?.picture !== picture) {
        setStage('uploading')
        uploaded.current = { picture, name: await uploadPicture(picture) }
      }
      setStage('handing_in')
      const file = picture && uploaded.current ? { file: uploaded.current.name } : {}
      return appeal === undefined
        ? paid.mutateAsync({ rechargeId, ...file })
        : appealed.mutateAsync({ rechargeId, appeal, ...file })
    },
    onSettled: () => setStage(null),
  })
  return { ...mutation, stage }
}

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadPicture } from '../api/upload'
import { useUpdateRechargeProof } from '../api/writes'

export type ProofStage = 'uploading' | 'handing_in' | 'checking'

/**
 * Uploads a picture and submits it as the proof. A retry does not upload the picture again, so it is the same
 * write with the same key.
 */
export function useSendProof(rechargeId: number) {
  const [stage, setStage] = useState<ProofStage | null>(null)
  const uploaded = useRef<{ picture: File; name: string } | null>(null)
  const write = useUpdateRechargeProof(() => setStage('checking'))
  const mutation = useMutation({
    mutationFn: async (picture: File) => {
      if (uploaded.current?.picture !== picture) {
        setStage('uploading')
        uploaded.current = { picture, name: await uploadPicture(picture) }
      }
      setStage('handing_in')
      return write.mutateAsync({ rechargeId, file: uploaded.current.name })
    },
    onSettled: () => setStage(null),
  })
  return { ...mutation, stage }
}

import { api, call } from '@/api/client'

/** Uploads a picture and returns the name the server gave it. It has no effect until a deposit refers to it. */
export async function uploadPicture(picture: File): Promise<string> {
  const form = new FormData()
  form.append('file', picture, picture.name)
  const { file } = await call(
    api.POST('/client/common/uploadFileImg', {
      body: { file: picture.name },
      bodySerializer: () => form,
    }),
  )
  return file
}

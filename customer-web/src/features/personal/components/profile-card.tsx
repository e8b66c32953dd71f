import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxLength, object, string } from 'zod/mini'
import {
  type PictureProblem,
  pictureAccept,
  preparePicture,
} from '@/features/picture/model/prepare-picture'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { FailureNote } from '@/ui/failure-note'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { toast } from '@/ui/toast/toast-store'
import {
  deleteAvatar,
  type PersonalInfo,
  updatePersonalInfo,
  uploadAvatar,
  useAvatar,
  usePersonalChange,
} from '../api/personal'
import styles from './personal.module.css'

const LONGEST_NICKNAME = 40
const schema = object({ nickname: string().check(maxLength(LONGEST_NICKNAME, 'field.length')) })

export type ProfileCardProps = { info: PersonalInfo; editable: boolean }

/** Picture and nickname, which nobody else sees but staff. */
export function ProfileCard({ info, editable }: ProfileCardProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.card} aria-labelledby="profile">
      <h2 id="profile" className={styles.title}>
        {t('personal.profile')}
      </h2>
      <Picture info={info} editable={editable} />
      {editable && <Nickname info={info} />}
      <p className={styles.text}>{t('personal.profile.about')}</p>
    </section>
  )
}

function Picture({ info, editable }: ProfileCardProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const { data: address } = useAvatar(info.avatarAt)
  const [problem, setProblem] = useState<PictureProblem | null>(null)
  const upload = usePersonalChange(uploadAvatar)
  const remove = usePersonalChange<void>(deleteAvatar)
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    const prepared = await preparePicture(file)
    setProblem('problem' in prepared ? prepared.problem : null)
    if ('picture' in prepared) upload.mutate(prepared.picture)
  }
  const name = info.nickname || info.name || info.mail
  return (
    <>
      <div className={styles.who}>
        {address ? (
          <img className={styles.avatar} src={address} alt={t('personal.avatar')} />
        ) : (
          <span className={cx(styles.avatar, styles.letter)} aria-hidden>
            {/[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '·'}
          </span>
        )}
        {editable && (
          <div className={styles.actions}>
            <input
              ref={input}
              type="file"
              accept={pictureAccept({})}
              className={styles.file}
              tabIndex={-1}
              aria-label={t('personal.avatar.choose')}
              onChange={(event) => void choose(event)}
            />
            <Button size="small" busy={upload.isPending} onClick={() => input.current?.click()}>
              {t('personal.avatar.choose')}
            </Button>
            {info.avatarAt !== undefined && (
              <Button
                size="small"
                variant="text"
                busy={remove.isPending}
                onClick={() => remove.mutate()}
              >
                {t('personal.avatar.remove')}
              </Button>
            )}
          </div>
        )}
      </div>
      {problem && <Note tone="error">{t(`picture.problem.${problem}`)}</Note>}
      {upload.error && <FailureNote error={upload.error} />}
      {remove.error && <FailureNote error={remove.error} />}
    </>
  )
}

function Nickname({ info }: { info: PersonalInfo }) {
  const { t } = useTranslation()
  const form = useSchemaForm(schema, { nickname: info.nickname })
  const change = usePersonalChange(updatePersonalInfo)
  const submit = form.handleSubmit(async ({ nickname }) => {
    try {
      const saved = await change.mutateAsync({ nickname, marketing: info.marketing })
      form.reset({ nickname: saved.nickname })
      toast.success(t('personal.saved'))
    } catch (error) {
      showRefusal(form, error, {})
    }
  })
  return (
    <form className={styles.name} noValidate onSubmit={submit}>
      <FormField control={form.control} name="nickname">
        {(field) => <TextField label={t('personal.nickname')} autoComplete="nickname" {...field} />}
      </FormField>
      <Button
        type="submit"
        size="large"
        disabled={!form.formState.isDirty}
        busy={form.formState.isSubmitting}
      >
        {t('personal.save')}
      </Button>
    </form>
  )
}

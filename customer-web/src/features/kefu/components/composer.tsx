import ButtonBase from '@mui/material/ButtonBase'
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { PicturePreview } from '@/features/picture/components/picture-preview'
import { pictureAccept } from '@/features/picture/model/prepare-picture'
import { transferredFile, useFileDrop } from '@/features/picture/model/use-file-drop'
import { usePicture } from '@/features/picture/model/use-picture'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useIsGuest, useSession } from '@/session/session-store'
import { useDesktop } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { type Card, cardNumber } from '../model/cards'
import { reportTyping, sendMessage, sendPicture, useHasWritten } from '../model/chat'
import { AttachSheet } from './attach-sheet'
import { CardIcon } from './card-icon'
import styles from './chat.module.css'

export type ComposerProps = {
  field: RefObject<HTMLTextAreaElement | null>
  /** The card sent along with the first message. */
  card: Card | null
  /** The initial text of the field. */
  about: string
}

/** Maximum characters of a message, and the length from which the remaining count is shown. */
const LONGEST = 4000
const NEARLY = 3800

/** The message field with attachments: a picture, a PDF, or an order, deposit or withdrawal. */
export function Composer({ field, card: first, about }: ComposerProps) {
  const { t } = useTranslation()
  const id = useId()
  const desktop = useDesktop()
  const signedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  const [text, setText] = useState(about)
  const [card, setCard] = useState(first)
  const [attaching, setAttaching] = useState(false)
  const hasWritten = useHasWritten()
  const [explaining, setExplaining] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const chosen = usePicture({ pdf: true })
  const { picture } = chosen
  const words = text.trim()
  const ready = words !== '' || card !== null || picture !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is as high as its text
  useEffect(() => {
    const element = field.current
    if (!element) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [text])

  // The server accepts files of visitors and guests only after their first message.
  const mustWrite = (!signedIn || guest) && !hasWritten
  const drop = useFileDrop(chosen.choose, mustWrite, false)
  const attach = () => {
    if (signedIn && !mustWrite) setAttaching(true)
    else if (!mustWrite) files.current?.click()
    else {
      setExplaining(true)
      field.current?.focus()
    }
  }

  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (!ready || chosen.preparing) return
    if (card)
      sendMessage({
        cardKind: card.kind,
        cardId: card.id,
        ...(words && !picture ? { text: words } : {}),
      })
    if (picture) sendPicture(picture, words)
    if (!card && !picture) sendMessage({ text: words })
    setText('')
    setCard(null)
    chosen.clear()
    field.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter confirms the word while an input method composes; on a phone it starts a new line.
    if (!desktop || event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className={cx(styles.composer, drop.over && styles.over)}
      onSubmit={send}
      {...drop.handlers}
    >
      {card && (
        <div className={styles.attached}>
          <CardIcon kind={card.kind} />
          <span className={styles.attachedName}>
            {t('kefu.attached', {
              what: `${t(`kefu.card.${card.kind}`)} ${bidiIsolate(cardNumber(card))}`,
            })}
          </span>
          <IconButton icon="close" label={t('kefu.remove')} onClick={() => setCard(null)} />
        </div>
      )}
      {explaining && mustWrite && (
        <p className={styles.masked} role="status">
          {t('kefu.attach.first')}
        </p>
      )}
      {chosen.problem && <Note tone="error">{t(`picture.problem.${chosen.problem}`)}</Note>}
      {chosen.preparing && (
        <p className={styles.masked} role="status">
          {t('picture.preparing')}
        </p>
      )}
      {picture && (
        <div className={styles.attached}>
          <div className={styles.attachedName}>
            <PicturePreview picture={picture} onDamaged={chosen.setDamaged} />
          </div>
          <IconButton icon="close" label={t('kefu.remove')} onClick={() => chosen.clear()} />
        </div>
      )}
      <div className={styles.line}>
        <input
          ref={files}
          type="file"
          hidden
          accept={pictureAccept(chosen.use)}
          aria-label={t('picture.document')}
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) chosen.choose(file)
            // Allows choosing the same file again.
            event.target.value = ''
          }}
        />
        <IconButton
          icon={signedIn ? 'plus' : 'image'}
          size={22}
          className={styles.round}
          label={t(signedIn ? 'kefu.attach' : 'kefu.attach.picture')}
          onClick={attach}
        />
        <label htmlFor={id} className="visually-hidden">
          {t('kefu.message')}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={1}
          dir="auto"
          maxLength={LONGEST}
          enterKeyHint={desktop ? 'send' : 'enter'}
          placeholder={t('kefu.write')}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            reportTyping(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const file = transferredFile(event.clipboardData)
            if (!file || mustWrite) return
            event.preventDefault()
            chosen.choose(file)
          }}
        />
        <ButtonBase
          type="submit"
          className={styles.send}
          aria-label={t('kefu.send')}
          title={t('kefu.send')}
          disabled={!ready || chosen.preparing}
        >
          <Icon name="send" size={22} />
        </ButtonBase>
      </div>
      {text.length > NEARLY && (
        <p className={styles.masked} role="status">
          {t('kefu.left', { number: bidiIsolate(formatFixed(LONGEST - text.length, 0)) })}
        </p>
      )}
      <AttachSheet
        open={attaching}
        onClose={() => setAttaching(false)}
        onPicture={() => files.current?.click()}
        onCard={setCard}
      />
    </form>
  )
}

import { useTranslation } from 'react-i18next'
import { errorText } from '@/i18n/error-text'
import { Button } from '@/ui/button'
import { problemText } from '@/ui/form/problems'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { cardNumber } from '../model/cards'
import { discard, retry } from '../model/chat'
import type { Unsent } from '../model/outbox'
import { useOnline } from '../model/use-online'
import { Bubble } from './bubble'
import { CardIcon } from './card-icon'
import styles from './chat.module.css'
import { TickMark } from './tick-mark'

export type UnsentMessageProps = { unsent: Unsent }

/** A message that the server has not stored: being sent, waiting for a connection, or refused. */
export function UnsentMessage({ unsent }: UnsentMessageProps) {
  const { t } = useTranslation()
  const online = useOnline()
  const { id, at, text, image, pdf, cardKind, cardId, refused } = unsent
  return (
    <Bubble
      by="self"
      foot={
        <>
          <TimeText at={at} shape="time" />
          {!refused && <TickMark tick={online ? 'sending' : 'waiting'} />}
          {!refused && !online && <span>{t('kefu.tick.waiting')}</span>}
        </>
      }
    >
      {image && (
        <span className={styles.card}>
          <Icon name={pdf ? 'orders' : 'image'} size={20} />
          {t(pdf ? 'kefu.pdf.own' : 'kefu.picture.own')}
        </span>
      )}
      {cardKind && cardId !== undefined && (
        <span className={styles.card}>
          <CardIcon kind={cardKind} />
          <span>
            {t(`kefu.card.${cardKind}`)} <Num>{cardNumber({ kind: cardKind, id: cardId })}</Num>
          </span>
        </span>
      )}
      {text && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {refused && (
        <>
          <p className={styles.failed}>
            <Icon name="warn" size={14} />
            {t('kefu.not_sent')} {problemText(refused.field) ?? errorText(refused)}
          </p>
          <div className={styles.acts}>
            <Button variant="quiet" onClick={() => retry(id)}>
              {t('ui.retry')}
            </Button>
            <Button variant="text" onClick={() => discard(id)}>
              {t('kefu.discard')}
            </Button>
          </div>
        </>
      )}
    </Bubble>
  )
}

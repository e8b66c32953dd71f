import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TabGroup } from '@/ui/tab-group'
import { type Card, cardKinds } from '../model/cards'
import styles from './chat.module.css'

const CardChoices = lazy(() => import('./card-choices'))

export type AttachSheetProps = {
  open: boolean
  onClose: () => void
  onPicture: () => void
  onCard: (card: Card) => void
}

/** What a trader can attach: a picture, a PDF, or a recent order, deposit or withdrawal. Mock accounts have orders only. */
export function AttachSheet({ open, onClose, onPicture, onCard }: AttachSheetProps) {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const [tab, setTab] = useState(0)
  const kind = cardKinds[tab] ?? 'order'
  return (
    <Sheet open={open} title={t('kefu.attach.title')} onClose={onClose}>
      <div className={styles.attach}>
        <Button
          variant="quiet"
          size="large"
          block
          onClick={() => {
            onClose()
            onPicture()
          }}
        >
          <Icon name="image" size={20} />
          {t('kefu.attach.picture')}
        </Button>
        <p className={styles.masked}>{t('picture.formats.document')}</p>
        <TabGroup
          type="line"
          label={t('kefu.cards.label')}
          active={tab}
          onChange={setTab}
          list={cardKinds.map((one) => ({
            title: t(`kefu.cards.${one}`),
            hidden: demo && one !== 'order',
          }))}
        />
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <CardChoices
            kind={kind}
            onChoose={(card) => {
              onClose()
              onCard(card)
            }}
          />
        </Suspense>
      </div>
    </Sheet>
  )
}

import { useTranslation } from 'react-i18next'
import { CommandSection } from '@/features/proof/components/command-section'
import { FileSection } from '@/features/proof/components/file-section'
import { HeadsSection } from '@/features/proof/components/heads-section'
import styles from '@/features/proof/components/proof.module.css'
import { StepsSection } from '@/features/proof/components/steps-section'
import { Page } from '../shell/page'

/** Prices and proof: how both are proved, the published heads, and the receipt file check. Open to everyone. */
export default function Proof() {
  const { t } = useTranslation()
  return (
    <Page title={t('proof.title')}>
      <div className={styles.flow}>
        <p className={styles.intro}>{t('proof.intro')}</p>
        <StepsSection />
        <HeadsSection />
        <FileSection />
        <CommandSection />
      </div>
    </Page>
  )
}

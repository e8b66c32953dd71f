import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia } from '@/theme/use-media'
import { Splitter } from '@/ui/splitter'
import { type Panel, panelLimits, setPanelSize, usePanelSizes, usualSizes } from './panel-sizes'
import styles from './pc-panels.module.css'

export type PcPanelsProps = {
  /** Without it the list has no place of its own. */
  list: ReactNode
  chart: ReactNode
  ticket: ReactNode
  bottom: ReactNode
  status: ReactNode
}

/** The panels of the terminal and the splitters between them. Moving one renders no panel again. */
export function PcPanels({ list, chart, ticket, bottom, status }: PcPanelsProps) {
  const { t } = useTranslation()
  const chosen = usePanelSizes()
  const usual = usualSizes(useMedia('(min-width: 1920px)'))
  const sizes = { ...usual, ...chosen }
  const splitter = (panel: Panel) => ({
    value: sizes[panel],
    ...panelLimits[panel],
    onChange: (size: number) => setPanelSize(panel, size),
    onReset: () => setPanelSize(panel, null),
  })
  const style = {
    '--list-size': `${sizes.list}px`,
    '--ticket-size': `${sizes.ticket}px`,
    '--bottom-size': `${sizes.bottom}px`,
  } as CSSProperties
  return (
    <div className={styles.terminal} style={style} data-toasts="chart">
      {list && (
        <section className={styles.list} aria-label={t('trade.watchlist')}>
          {list}
        </section>
      )}
      {list && (
        <Splitter
          {...splitter('list')}
          between="column"
          label={t('trade.size_list')}
          className={styles.listSplitter}
        />
      )}
      {chart}
      <Splitter
        {...splitter('ticket')}
        after
        between="column"
        label={t('trade.size_ticket')}
        className={styles.ticketSplitter}
      />
      {ticket}
      <Splitter
        {...splitter('bottom')}
        after
        between="row"
        label={t('trade.size_bottom')}
        className={styles.bottomSplitter}
      />
      <section className={styles.bottom} aria-label={t('trade.deals')}>
        {bottom}
      </section>
      {status}
    </div>
  )
}

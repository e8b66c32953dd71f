import { useTranslation } from 'react-i18next'
import { formatFixed, formatSigned } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import type { CreditScore, CreditScoreFact } from '../api/score'
import styles from './score.module.css'

/** What raises the score and what lowers it: each fact with its value, its points and their bounds. */
export function ScoreFacts({ score }: { score: CreditScore }) {
  const { t } = useTranslation()
  const raising = score.facts.filter(({ most }) => most > 0)
  const lowering = score.facts.filter(({ most }) => most <= 0)
  return (
    <>
      <section className={styles.block}>
        <h2 className={styles.head}>{t('score.raises')}</h2>
        <ul className={styles.list}>
          <li>
            <div className={styles.words}>
              <span className={styles.name}>{t('score.base')}</span>
              <span className={styles.about}>{t('score.base.about')}</span>
            </div>
            <Num className={styles.points}>{formatFixed(score.base, 0)}</Num>
          </li>
          {raising.map((fact) => (
            <Fact key={fact.fact} fact={fact} />
          ))}
        </ul>
      </section>
      <section className={styles.block}>
        <h2 className={styles.head}>{t('score.lowers')}</h2>
        <ul className={styles.list}>
          {lowering.map((fact) => (
            <Fact key={fact.fact} fact={fact} />
          ))}
        </ul>
        <p className={styles.small}>{t('score.wrong')}</p>
      </section>
    </>
  )
}

function Fact({
  fact: { fact, value, points, each, per, least, most },
}: {
  fact: CreditScoreFact
}) {
  const { t } = useTranslation()
  const number = (n: number) => bidiIsolate(formatFixed(n, 0))
  const bound = most > 0 ? most : least
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>
          {t(`score.fact.${fact}`)} <Num className={styles.value}>{formatFixed(value, 0)}</Num>
        </span>
        <span className={styles.about}>
          {t(`score.fact.${fact}.about`, {
            points: number(Math.abs(each)),
            per: number(per),
            bound: number(Math.abs(bound)),
          })}
        </span>
      </div>
      <Num className={cx(styles.points, points < 0 && styles.taken)}>
        {formatSigned(points, 0)}
        <span className="visually-hidden">{t('score.points')}</span>
      </Num>
    </li>
  )
}

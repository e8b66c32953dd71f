import styles from '@/ui/block.module.css'
import { Note } from '@/ui/note'
import type { Channel } from '../api/channels'

/** What the broker tells traders to know before they pay through a channel; nothing for a channel without instructions. */
export function ChannelInstructions({ channel }: { channel: Channel }) {
  if (!channel.instructions) return null
  return (
    <Note>
      <span dir="auto" className={styles.lines}>
        {channel.instructions}
      </span>
    </Note>
  )
}

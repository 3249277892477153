import { useTranslation } from '../i18n/context'
import type { PostReaction } from './post-view'

export interface ReactionChipProps {
  readonly reaction: PostReaction
  readonly isOff?: boolean
}

/** Button that adds or removes the member's own reaction of a kind. */
export function ReactionChip({ reaction, isOff = false }: ReactionChipProps) {
  const t = useTranslation()
  const { name, count, isOwn, url } = reaction
  return (
    <button
      type="submit"
      class="chip"
      name={isOwn ? 'remove' : 'add'}
      value={name}
      aria-pressed={isOwn}
      disabled={isOff}
      aria-label={t('client.nameReactionOtherReactions', { name, count })}
    >
      {url === null ? name : <img class="emoji" src={url} alt="" width="20" height="20" />}
      <span>{t('common.count', { count })}</span>
    </button>
  )
}

import { type SavedReply, savedReplyLimits } from '../../../domain/drafts/saved-replies'
import type { TextKey } from '../../../lib/translate'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { beginningOf } from './draft-lines'
import type { Typed } from './form'

const beginning = 'saved:'

/** Whether a press puts a saved reply into the text. */
export function isSavedPress(press: string): boolean {
  return press.startsWith(beginning)
}

/** Appends the saved reply of a press to the first post; any other press changes nothing. */
export function withSavedReply(typed: Typed, press: string, replies: readonly SavedReply[]): Typed {
  const reply = chosenBy(press, replies)
  if (reply === null) return typed
  const space = typed.text === '' || /\s$/.test(typed.text) ? '' : ' '
  return { ...typed, text: `${typed.text}${space}${reply.text}` }
}

/** The problem of a press whose saved reply was deleted meanwhile. */
export function savedReplyGone(press: string, replies: readonly SavedReply[]): readonly TextKey[] {
  return isSavedPress(press) && chosenBy(press, replies) === null ? ['client.savedReplyWasDeleted'] : []
}

function chosenBy(press: string, replies: readonly SavedReply[]): SavedReply | null {
  return replies.find(({ id }) => press === `${beginning}${id}`) ?? null
}

interface SavedReplyMenuProps {
  readonly replies: readonly SavedReply[]
  readonly isOpen: boolean
}

/** The saved replies of the member. Scripts put the chosen one where one types. */
export function SavedReplyMenu({ replies, isOpen }: SavedReplyMenuProps) {
  const t = useTranslation()
  return (
    <details class="menu" open={isOpen}>
      <summary class="plain" aria-label={t('settings.savedReplies.savedReplies')}>
        <Icon name="message-square-text" />
      </summary>
      <div class="sheet start saved-replies">
        {replies.slice(0, savedReplyLimits.perAccount).map(({ id, name, text }) => (
          <button type="submit" class="row" name="press" value={`${beginning}${id}`} data-text={text}>
            <span>
              <bdi>{name}</bdi>
              <small>{beginningOf(text)}</small>
            </span>
          </button>
        ))}
      </div>
    </details>
  )
}

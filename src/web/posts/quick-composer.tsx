import { smallAvatar } from '../../contract/small-avatars'
import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { useMember, useTypedForm } from '../page-context'
import { paths } from '../paths'
import { Age } from './age'
import { usePosts } from './context'

/** A draft about the same thing, which a new text would replace. */
export interface WaitingDraft {
  readonly beginning: string
  readonly at: Date
  /** The composer that has it. */
  readonly path: string
}

/** A post that is answered in place. */
interface QuickReply {
  readonly id: string
  readonly name: string
  /** Text that the reply begins with. */
  readonly beginning: string
  /** The member keeps texts to answer with: a button opens the whole composer with their menu. */
  readonly hasSavedReplies: boolean
}

export interface QuickComposerProps {
  /** Null where nothing is begun. */
  readonly draft: WaitingDraft | null
  /** Null for a post of its own. */
  readonly reply: QuickReply | null
}

/** The composer in place, or the draft that waits to be finished in the whole one. */
export function QuickComposer({ draft, reply }: QuickComposerProps) {
  return draft === null ? <TextForm reply={reply} /> : <DraftLine {...draft} />
}

function DraftLine({ beginning, at, path }: WaitingDraft) {
  const t = useTranslation()
  const { now } = usePosts()
  return (
    <p class="compose-draft">
      <a class="row-link" href={path}>
        <Icon name="pencil" />
        <span class="names">
          <bdi class="one">{beginning}</bdi>
          <small>{t.rich('client.draftFrom', { age: <Age at={at} now={now} /> })}</small>
        </span>
      </a>
    </p>
  )
}

/** A form for text alone, with the usual choices. Its other buttons open the whole composer with what was typed. */
function TextForm({ reply }: Pick<QuickComposerProps, 'reply'>) {
  const t = useTranslation()
  const viewer = useMember()
  const { formKey } = usePosts()
  const typing = useTypedForm()
  const label =
    reply === null
      ? t('client.whatWouldYouLikeToSay')
      : t('interact.remote.replyToName', { name: reply.name })
  return (
    <form
      class={reply === null ? 'compose only-wide' : 'compose'}
      method="post"
      action={paths.publish}
      {...typing}
      enctype="multipart/form-data"
      aria-label={reply === null ? t('client.newPost') : t('common.reply')}
      data-context={`${viewer.acct} ${reply === null ? 'new' : `reply:${reply.id}`}`}
      data-quick
    >
      <CsrfField />
      <input type="hidden" name="reply_to" value={reply?.id ?? ''} />
      <input type="hidden" name="key" value={formKey ?? ''} />
      <span class="avatar-link">
        <img class="avatar" src={smallAvatar(viewer.avatarUrl)} alt="" width="44" height="44" />
      </span>
      <div class="write">
        <div class="typing">
          <textarea class="area" name="status" rows={1} aria-label={label} placeholder={label} dir="auto">
            {reply?.beginning}
          </textarea>
        </div>
        <div class="tools">
          <button
            type="submit"
            class="plain"
            name="press"
            value="attach"
            aria-label={t('client.picturesVideoOrSound')}
          >
            <Icon name="image" />
          </button>
          <button type="submit" class="plain" name="press" value="poll" aria-label={t('client.addAPoll')}>
            <Icon name="chart-bar" />
          </button>
          <button type="submit" class="plain" name="press" value="open" aria-label={t('client.moreChoices')}>
            <Icon name="sliders-horizontal" />
          </button>
          {reply?.hasSavedReplies === true && (
            <button
              type="submit"
              class="plain"
              name="press"
              value="saved"
              aria-label={t('settings.savedReplies.savedReplies')}
            >
              <Icon name="message-square-text" />
            </button>
          )}
          <span class="end">
            <button type="submit" class="button main" name="press" value="post">
              {reply === null ? t('client.post') : t('common.reply')}
            </button>
          </span>
        </div>
      </div>
    </form>
  )
}

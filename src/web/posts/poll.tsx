import { Day } from '../components/day'
import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { usePlaceOf } from './context'
import type { PostPoll, PostView } from './post-view'

export interface PollProps {
  readonly post: PostView
  readonly poll: PostPoll
}

/** A poll: its form for those who may still vote, its results for others. */
export function Poll({ post, poll }: PollProps) {
  const mayVote = post.state !== null && !post.state.isOwn && !poll.hasVoted && !poll.isClosed
  return mayVote ? <PollForm post={post} poll={poll} /> : <PollBars poll={poll} />
}

function PollForm({ post, poll }: PollProps) {
  const t = useTranslation()
  const place = usePlaceOf(post)
  return (
    <form class="poll" method="post" action={`/polls/${poll.id}`} data-swap=".poll" data-post={post.id}>
      <CsrfField />
      <input type="hidden" name="return_to" value={place} />
      <fieldset class="poll">
        <legend class="hidden">{poll.isMultiple ? t('client.chooseOneOrMore') : t('form.chooseOne')}</legend>
        {poll.options.map(({ title }, index) => (
          <label>
            <input
              type={poll.isMultiple ? 'checkbox' : 'radio'}
              name={poll.isMultiple ? `choice_${index}` : 'choice'}
              value={String(index)}
            />
            <bdi>{title}</bdi>
          </label>
        ))}
      </fieldset>
      <div class="end">
        <button type="submit" class="button low">
          {t('client.vote')}
        </button>
        <PollState poll={poll} />
      </div>
    </form>
  )
}

function PollBars({ poll }: { readonly poll: PostPoll }) {
  const t = useTranslation()
  const most = Math.max(1, poll.voters)
  return (
    <div class="poll">
      {poll.options.map(({ title, votes, isOwn }) => {
        const share = votes === null ? null : Math.round((votes / most) * 100)
        return (
          <div class={isOwn ? 'bar-row mine' : 'bar-row'}>
            {share !== null && <meter class="fill" min="0" max="100" value={share} aria-hidden="true" />}
            <bdi>{title}</bdi>
            {isOwn && (
              <>
                <Icon name="check" isSmall />
                <span class="hidden">{t('client.yourChoice')}</span>
              </>
            )}
            {share !== null && <span class="share">{share} %</span>}
          </div>
        )
      })}
      <div class="end">
        <PollState poll={poll} />
      </div>
    </div>
  )
}

function PollState({ poll: { voters, isClosed, closesAt } }: { readonly poll: PostPoll }) {
  const t = useTranslation()
  return (
    <>
      <span class="num">{t('client.personVotedOtherPeopleVoted', { count: voters })}</span>
      {isClosed ? (
        <span>{t('client.closed')}</span>
      ) : (
        closesAt !== null && (
          <span>{t.rich('client.openUntilDay', { day: <Day at={closesAt} withTime /> })}</span>
        )
      )}
    </>
  )
}

import { useTranslation } from '../i18n/context'
import type { PollView } from '../status-view-model'
import { Day } from './day'

export interface PollResultsProps {
  readonly poll: PollView
}

export function PollResults({ poll: { options, votes, voters, isClosed, closesAt } }: PollResultsProps) {
  return (
    <div class="poll">
      <ul class="poll-options">
        {options.map(({ title, votes: own }) => (
          <li>
            <span class="poll-option">
              <bdi>{title}</bdi>
              {own !== null && <strong> {percent(own, voters)} %</strong>}
            </span>
            {own !== null && <meter min="0" max={Math.max(voters, 1)} value={own} aria-hidden="true" />}
          </li>
        ))}
      </ul>
      <p class="muted">
        <PollState votes={votes} isClosed={isClosed} closesAt={closesAt} />
      </p>
    </div>
  )
}

function PollState({ votes: count, isClosed, closesAt }: Pick<PollView, 'votes' | 'isClosed' | 'closesAt'>) {
  const t = useTranslation()
  if (isClosed) return <>{t('poll.votesClosed', { count })}</>
  if (closesAt === null) return <>{t('poll.votes', { count })}</>
  const day = <Day at={closesAt} withTime />
  return <>{t.rich('poll.votesOpenUntilDay', { count, day })}</>
}

function percent(votes: number, all: number): number {
  return all === 0 ? 0 : Math.round((votes / all) * 100)
}

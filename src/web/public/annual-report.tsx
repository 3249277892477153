import { EmojiText } from '../components/emoji-text'
import { Layout } from '../components/layout'
import { StatusCard } from '../components/status-card'
import type { PageProps } from '../site'
import type { AuthorView, StatusView } from '../status-view-model'

export interface AnnualReportPageProps extends PageProps {
  readonly url: string
  readonly author: AuthorView
  readonly year: number
  readonly archetype: 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle'
  readonly statuses: number
  readonly followers: number
  readonly tag: { readonly name: string; readonly count: number } | null
  /** The status most reblogged, where strangers may see it. */
  readonly top: StatusView | null
}

/** How somebody spent a year here, for whoever they gave the address to. */
export function AnnualReportPage(props: AnnualReportPageProps) {
  const { site, viewer, url, author, year, statuses, followers, tag, top } = props
  const word = words[props.archetype]
  const title = `${author.name}'s ${year}`
  const preview = {
    ...{ url, imageUrl: author.avatarUrl },
    description: `${author.handle} was ${word.title} of ${year} on ${site.title}`,
  }
  return (
    <Layout {...{ site, viewer, title, preview }} width="text" isPrivate>
      <section class="card" aria-labelledby="year">
        <h1 id="year">
          The {year} of <EmojiText text={author.name} emojis={author.emojis} />
        </h1>
        <p class="lead">
          <a href={author.url}>{author.handle}</a> was {word.title}: {word.text}
        </p>
        <dl class="numbers">
          <div>
            <dt>{statuses === 1 ? 'post' : 'posts'}</dt>
            <dd>{count.format(statuses)}</dd>
          </div>
          <div>
            <dt>{followers === 1 ? 'new follower' : 'new followers'}</dt>
            <dd>{count.format(followers)}</dd>
          </div>
          {tag !== null && (
            <div>
              <dt>
                {tag.count === 1 ? 'time' : 'times'} <bdi>#{tag.name}</bdi>
              </dt>
              <dd>{count.format(tag.count)}</dd>
            </div>
          )}
        </dl>
      </section>
      {top !== null && (
        <section class="status-list" aria-labelledby="top">
          <h2 id="top">Shared most</h2>
          <StatusCard status={top} />
        </section>
      )}
    </Layout>
  )
}

const count = new Intl.NumberFormat('en')

const words = {
  lurker: { title: 'a lurker', text: 'there to read, and seldom to speak.' },
  booster: { title: 'a booster', text: 'passing on what others wrote, far more often than writing.' },
  pollster: { title: 'a pollster', text: 'always asking what everybody else thinks.' },
  replier: { title: 'a replier', text: 'at home in the conversations of others.' },
  oracle: { title: 'an oracle', text: 'with something of their own to say.' },
} as const

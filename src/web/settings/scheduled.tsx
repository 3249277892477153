import { Banner } from '../components/banner'
import { Button } from '../components/button'
import { Day } from '../components/day'
import { PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { paths, scheduledCancelPath } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export interface ScheduledPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly message: string | null
  /** Newest first. */
  readonly posts: readonly ScheduledPost[]
  /** There are older ones than those shown. */
  readonly nextPath: string | null
}

export interface ScheduledPost {
  readonly id: number
  readonly text: string
  readonly at: Date
  readonly files: number
  /** Why it was not posted; null while it waits. */
  readonly failure: string | null
}

/** What somebody scheduled, and what came to nothing. Written and moved in apps; here it can be seen and deleted. */
export function ScheduledPage(props: ScheduledPageProps) {
  const { site, viewer, message, posts, nextPath } = props
  return (
    <Layout site={site} viewer={viewer} title="Scheduled posts" width="text" isPrivate>
      <h1>Scheduled posts</h1>
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      <p>Apps schedule posts, and can give them another time.</p>
      {posts.length === 0 && <p>None wait.</p>}
      {posts.map((post) => (
        <Post {...props} post={post} />
      ))}
      {nextPath !== null && (
        <p>
          <a href={nextPath}>Older ones</a>
        </p>
      )}
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function Post({ csrfToken, post }: ScheduledPageProps & { readonly post: ScheduledPost }) {
  const { id, text, at, files, failure } = post
  return (
    <section class="card" aria-label={`Post ${id}`}>
      {failure !== null && (
        <p>
          <span class="badge badge-warning">not posted</span> {failure}
        </p>
      )}
      <p dir="auto">{text === '' ? <span class="muted">No text</span> : text}</p>
      <p class="muted">
        <Day at={at} withTime />
        {files > 0 && (files === 1 ? ', one file' : `, ${files} files`)}
      </p>
      <PostForm action={scheduledCancelPath(id)} csrfToken={csrfToken} class="inline">
        <Button look="secondary">
          Delete<span class="visually-hidden"> the post of {at.toISOString().slice(0, 16)}</span>
        </Button>
      </PostForm>
    </section>
  )
}

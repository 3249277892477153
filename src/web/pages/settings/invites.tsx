import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  createInvite,
  inviteLimits,
  type ListedInvite,
  listInvites,
  mayInvite,
  revokeInvite,
} from '../../../domain/users/invites'
import { validationFailed } from '../../../errors'
import { inviteUrl } from '../../../lib/addresses'
import { Banner } from '../../components/banner'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { CheckboxField, SelectField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { checkbox, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { inviteRevokePath, paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Invitations'

const hour = 3_600

const choices: InviteChoices = {
  maxUses: [1, 5, 10, 25, 50, 100],
  expiry: [
    { seconds: hour / 2, text: '30 minutes' },
    { seconds: hour, text: '1 hour' },
    { seconds: 6 * hour, text: '6 hours' },
    { seconds: 12 * hour, text: '12 hours' },
    { seconds: 24 * hour, text: '1 day' },
    { seconds: 7 * 24 * hour, text: '1 week' },
  ],
}

const form = z.object({
  max_uses: textField(),
  expires_in: textField(),
  autofollow: checkbox,
  comment: textField(),
})

/** Lists and makes invitations. The sign-up page takes them. */
export const invitesPage = memberPage({
  kind: 'settings',
  path: paths.invites,
  title,
  access: 'signed-in',
  menu: { label: 'Invite people', order: 110 },
  isListed: mayInvite,
  form,
  submissions: [
    { isCommand: true, run: create },
    { path: `${paths.invites}/:id/revoke`, isCommand: true, run: revoke },
    { path: `${paths.invites}/:id`, methods: ['DELETE'], isCommand: true, run: revoke },
  ],
  notices: {
    created: 'Your invitation is ready: send the link to whoever you invite.',
    revoked: 'The invitation no longer works.',
  },
  load: async (ctx, { session }) => {
    const invites = await execute(ctx.db, listInvites(ctx, session.accountId))
    return { invites: invites.map((invite) => shown(ctx.config.origin, invite)) }
  },
  view: ({ site, viewer, csrfToken, session, message, found }) => (
    <InvitesPage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      message={message}
      choices={mayInvite(session) ? choices : null}
      commentLimit={inviteLimits.commentCharacters}
      invites={found.invites}
    />
  ),
})

async function create({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const durations = choices.expiry.map(({ seconds }) => seconds)
  await createInvite(ctx, session, {
    maxUses: chosen('Max uses', input.max_uses, choices.maxUses),
    expiresInSeconds: chosen('Expires in', input.expires_in, durations),
    autofollow: input.autofollow,
    comment: input.comment,
  })
  return { notice: 'created' as const }
}

async function revoke({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await revokeInvite(ctx, session.accountId, id)
  return { notice: 'revoked' as const }
}

function shown(origin: string, { id, code, ...invite }: ListedInvite) {
  return { ...invite, id: String(id), url: inviteUrl(origin, code) }
}

function chosen(field: string, text: string, offered: readonly number[]): number | null {
  if (text === '') return null
  const value = Number(text)
  if (!offered.includes(value)) throw validationFailed(`${field} is not included in the list`)
  return value
}

export interface InvitesPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  /** Notice of what was done. */
  readonly message: string | null
  /** Null without the permission to invite; existing invitations are still listed. */
  readonly choices: InviteChoices | null
  readonly commentLimit: number
  readonly invites: readonly InviteView[]
}

export interface InviteChoices {
  readonly maxUses: readonly number[]
  readonly expiry: readonly { readonly seconds: number; readonly text: string }[]
}

export interface InviteView {
  readonly id: string
  readonly url: string
  readonly comment: string
  readonly uses: number
  readonly maxUses: number | null
  readonly expiresAt: Date | null
  readonly autofollow: boolean
  readonly state: 'usable' | 'used up' | 'expired'
}

export function InvitesPage(props: InvitesPageProps) {
  const { site, viewer, message, choices, invites } = props
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate>
      <h1>Invitations</h1>
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      {choices === null ? (
        <p class="muted">You may not invite people to {site.domain}.</p>
      ) : (
        <NewInvite {...props} choices={choices} />
      )}
      <section class="card" aria-labelledby="made">
        <h2 id="made">Your invitations</h2>
        {invites.length === 0 ? (
          <p class="muted">None yet.</p>
        ) : (
          <ul class="entries">
            {invites.map((invite) => (
              <li>
                <MadeInvite csrfToken={props.csrfToken} invite={invite} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <div class="actions">
        <ButtonLink look="secondary" href={paths.account}>
          Your account
        </ButtonLink>
      </div>
    </Layout>
  )
}

function NewInvite(props: InvitesPageProps & { readonly choices: InviteChoices }) {
  const { site, csrfToken, choices, commentLimit } = props
  const uses = choices.maxUses.map((count) => ({ value: String(count), text: peopleText(count) }))
  const expiry = choices.expiry.map(({ seconds, text }) => ({ value: String(seconds), text }))
  return (
    <section class="card" aria-labelledby="new">
      <h2 id="new">Invite somebody</h2>
      <p class="muted">
        Whoever opens the link can sign up on {site.domain}, also while sign-up is closed, and need not wait
        for approval.
      </p>
      <PostForm action={paths.invites} csrfToken={csrfToken}>
        <SelectField
          name="max_uses"
          label="How many people may use it?"
          value=""
          options={[{ value: '', text: 'No limit' }, ...uses]}
        />
        <SelectField
          name="expires_in"
          label="How long does it work?"
          value=""
          options={[{ value: '', text: 'Until you end it' }, ...expiry]}
        />
        <TextField
          name="comment"
          label="Note"
          hint="Only you see it."
          autocomplete="off"
          maxlength={commentLimit}
          isOptional
        />
        <CheckboxField
          name="autofollow"
          label="People who sign up by it follow you"
          isChecked={false}
          isOptional
        />
        <Button>Create invitation</Button>
      </PostForm>
    </section>
  )
}

function MadeInvite({ csrfToken, invite }: { csrfToken: string; invite: InviteView }) {
  const { id, url, comment, state, autofollow } = invite
  return (
    <>
      <h3>
        <bdi>{comment === '' ? 'Invitation' : comment}</bdi>{' '}
        {state !== 'usable' && <span class="badge badge-warning">{state}</span>}
      </h3>
      {state === 'usable' && (
        <p>
          <code class="code-to-copy">{url}</code>
        </p>
      )}
      <p class="muted">
        <Uses {...invite} />
        {autofollow && ' · followed by whoever uses it'}
      </p>
      {state === 'usable' && (
        <details class="confirm">
          <summary>
            End<span class="visually-hidden"> {comment === '' ? url : comment}</span>…
          </summary>
          <PostForm action={inviteRevokePath(id)} csrfToken={csrfToken}>
            <p>The link stops working. Whoever has signed up by it keeps their account.</p>
            <Button look="danger">End invitation</Button>
          </PostForm>
        </details>
      )}
    </>
  )
}

function Uses({ uses, maxUses, expiresAt, state }: InviteView) {
  return (
    <>
      {maxUses === null ? `used ${uses} times` : `used ${uses} of ${maxUses} times`}
      {expiresAt !== null && (
        <>
          {state === 'expired' ? ' · ended ' : ' · works until '}
          <Day at={expiresAt} />
        </>
      )}
    </>
  )
}

function peopleText(count: number): string {
  return count === 1 ? '1 person' : `${count} people`
}

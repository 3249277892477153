import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { inviteUrl } from '../../../contract/addresses'
import { execute } from '../../../db/query'
import {
  createInvite,
  inviteLimits,
  type ListedInvite,
  listInvites,
  mayInvite,
  revokeInvite,
} from '../../../domain/users/invites'
import { Invalid } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { CheckboxField, SelectField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { usePage } from '../../page-context'
import { inviteRevokePath, paths } from '../../paths'

const title = 'common.invitations'

const hour = 3_600

const choices: InviteChoices = {
  maxUses: [1, 5, 10, 25, 50, 100],
  expiry: [
    { seconds: hour / 2, text: 'settings.invites.n30Minutes' },
    { seconds: hour, text: 'settings.invites.n1Hour' },
    { seconds: 6 * hour, text: 'settings.invites.n6Hours' },
    { seconds: 12 * hour, text: 'settings.invites.n12Hours' },
    { seconds: 24 * hour, text: 'common.n1Day' },
    { seconds: 7 * 24 * hour, text: 'settings.invites.n1Week' },
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
  menu: { group: 'account', label: 'common.invitePeople', order: 300 },
  words: ['settings.invites.createInvitation', 'settings.invites.invitation'],
  isListed: mayInvite,
  form,
  submissions: [
    { run: create },
    { path: `${paths.invites}/:id/revoke`, isCommand: true, run: revoke },
    { path: `${paths.invites}/:id`, methods: ['DELETE'], isCommand: true, run: revoke },
  ],
  notices: {
    created: 'settings.invites.invitationReadySendLink',
    revoked: 'common.invitationNoLongerWorks',
  },
  load: async (ctx, { session }) => {
    const invites = await execute(ctx.db, listInvites(ctx, session.accountId))
    return { invites: invites.map((invite) => shown(ctx.config.origin, invite)) }
  },
  view: ({ session, found }) => (
    <InvitesPage
      choices={mayInvite(session) ? choices : null}
      commentLimit={inviteLimits.commentCharacters}
      invites={found.invites}
    />
  ),
})

async function create({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const durations = choices.expiry.map(({ seconds }) => seconds)
  await createInvite(ctx, session, {
    maxUses: chosen('max_uses', input.max_uses, choices.maxUses),
    expiresInSeconds: chosen('expires_in', input.expires_in, durations),
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
  if (!offered.includes(value)) throw new Invalid('not_in_list', { field })
  return value
}

export interface InvitesPageProps {
  /** Null without the permission to invite; existing invitations are still listed. */
  readonly choices: InviteChoices | null
  readonly commentLimit: number
  readonly invites: readonly InviteView[]
}

export interface InviteChoices {
  readonly maxUses: readonly number[]
  readonly expiry: readonly { readonly seconds: number; readonly text: TextKey }[]
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
  const t = useTranslation()
  const { site } = usePage()
  const { choices, invites } = props
  return (
    <SettingsLayout title={t(title)}>
      {choices === null ? (
        <p class="quiet small">{t('settings.invites.mayNotInvitePeople', { domain: site.domain })}</p>
      ) : (
        <NewInvite {...props} choices={choices} />
      )}
      <section class="block" aria-labelledby="made">
        <h2 id="made">{t('settings.invites.yourInvitations')}</h2>
        {invites.length === 0 ? (
          <p class="quiet small">{t('common.noneYet')}</p>
        ) : (
          <ul class="entries">
            {invites.map((invite) => (
              <li>
                <MadeInvite invite={invite} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </SettingsLayout>
  )
}

function NewInvite(props: InvitesPageProps & { readonly choices: InviteChoices }) {
  const { choices, commentLimit } = props
  const t = useTranslation()
  const { site } = usePage()
  const uses = choices.maxUses.map((count) => ({
    value: String(count),
    text: t('common.people2', { count }),
  }))
  const expiry = choices.expiry.map(({ seconds, text }) => ({ value: String(seconds), text: t(text) }))
  return (
    <section class="block" aria-labelledby="new">
      <h2 id="new">{t('settings.invites.inviteSomebody')}</h2>
      <p class="quiet small">{t('settings.invites.whoeverOpensLinkCan', { domain: site.domain })}</p>
      <PostForm action={paths.invites}>
        <SelectField
          name="max_uses"
          label={t('settings.invites.howManyPeopleMay')}
          value=""
          options={[{ value: '', text: t('settings.invites.noLimit') }, ...uses]}
        />
        <SelectField
          name="expires_in"
          label={t('settings.invites.howLongDoesWork')}
          value=""
          options={[{ value: '', text: t('settings.invites.neverExpires') }, ...expiry]}
        />
        <TextField
          name="comment"
          label={t('field.note')}
          hint={t('settings.invites.note.hint')}
          autocomplete="off"
          maxlength={commentLimit}
          isOptional
        />
        <CheckboxField
          name="autofollow"
          label={t('settings.invites.peopleWhoSignUp')}
          isChecked={false}
          isOptional
        />
        <Button>{t('settings.invites.createInvitation')}</Button>
      </PostForm>
    </section>
  )
}

const endings = {
  'used up': 'common.usedUp',
  expired: 'common.expired',
} as const

function MadeInvite({ invite }: { invite: InviteView }) {
  const { id, url, comment, state, autofollow } = invite
  const t = useTranslation()
  return (
    <>
      <h3>
        <bdi>{comment === '' ? t('settings.invites.invitation') : comment}</bdi>{' '}
        {state !== 'usable' && <span class="tag warn">{t(endings[state])}</span>}
      </h3>
      {state === 'usable' && (
        <p>
          <code class="code-to-copy">{url}</code>
        </p>
      )}
      <p class="quiet small">
        <Uses {...invite} />
        {autofollow && <> · {t('settings.invites.followedByWhoeverUses')}</>}
      </p>
      {state === 'usable' && (
        <details class="confirm">
          <summary>
            {t.rich('settings.invites.endName', {
              name: comment === '' ? url : comment,
              hidden: (words: Child[]) => <span class="hidden">{words}</span>,
            })}
          </summary>
          <PostForm action={inviteRevokePath(id)}>
            <p>{t('settings.invites.linkStopsWorkingWhoever')}</p>
            <Button look="danger">{t('settings.invites.endInvitation')}</Button>
          </PostForm>
        </details>
      )}
    </>
  )
}

function Uses({ uses, maxUses, expiresAt, state }: InviteView) {
  const t = useTranslation()
  return (
    <>
      {maxUses === null
        ? t('settings.invites.usedTimes', { count: uses })
        : t('settings.invites.mostPluralOneUsed', {
            count: uses,
            most: maxUses,
          })}
      {expiresAt !== null && (
        <>
          {' · '}
          {t.rich(state === 'expired' ? 'settings.invites.endedDay' : 'settings.invites.worksUntilDay', {
            day: <Day at={expiresAt} />,
          })}
        </>
      )}
    </>
  )
}

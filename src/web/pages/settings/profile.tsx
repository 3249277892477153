import * as z from 'zod'
import { execute } from '../../../db/query'
import { profileLimits } from '../../../domain/accounts/profile-patch'
import { removePicture, updateProfile } from '../../../domain/accounts/update'
import { viewerById } from '../../../domain/core/viewer'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { loadOwnProfile } from '../../../view/load/accounts'
import { presentProfile } from '../../../view/present/own-account'
import { ProfilePage, type ProfileValues } from '../../components/settings/profile-view'
import { checkbox, textField, uploadField } from '../../form-fields'
import { changedFields } from '../../member-pages/changed-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const rows = Array.from({ length: profileLimits.fields }, (_, at) => at + 1)

const texts = Object.fromEntries(
  rows.flatMap((row) => [`field_name_${row}`, `field_value_${row}`].map((name) => [name, textField(2_000)])),
)

const form = z.object({
  display_name: textField(500),
  note: textField(20_000),
  avatar: uploadField,
  avatar_description: textField(2_000),
  remove_avatar: checkbox,
  header: uploadField,
  header_description: textField(2_000),
  remove_header: checkbox,
  // Holds no value: problems of the rows stand here.
  fields: textField(),
  ...texts,
  locked: checkbox,
  bot: checkbox,
  discoverable: checkbox,
  indexable: checkbox,
  hide_collections: checkbox,
  attribution_domains: textField(50_000),
})

export const profilePage = memberPage({
  kind: 'settings',
  path: paths.profile,
  // Named by the document for Keybase. No proofs are taken any more; links of the profile are edited here.
  redirectsFrom: [paths.identityProofs],
  title: 'common.profile',
  access: 'active',
  menu: { group: 'profile', label: 'common.profile', order: 5 },
  form,
  uploadFields: ['avatar', 'header'],
  script: 'crop.js',
  submissions: [{ run: save }],
  notices: { saved: 'settings.profileSaved' },
  labels: {
    display_name: 'field.displayName',
    note: 'settings.biography',
    avatar: 'field.profilePicture',
    remove_avatar: 'field.profilePicture',
    avatar_description: 'field.descriptionProfilePicture',
    header: 'field.headerPicture',
    remove_header: 'field.headerPicture',
    header_description: 'field.descriptionHeaderPicture',
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, 'field.extraFields'])),
    discoverable: 'settings.profile.suggestMyProfilePosts',
    indexable: 'settings.profile.findMyPublicPosts',
    locked: 'settings.profile.approveFollowersMyself',
    hide_collections: 'settings.profile.hideWhomIFollow',
    bot: 'settings.profile.accountAutomated',
    attribution_domains: 'field.websitesMayNameAuthor',
  },
  load: async (ctx, { session }) => ({ profile: await loadProfile(ctx, session.accountId) }),
  view: ({ typed, found: { profile } }) => {
    const isTyped = typed('sent') === 'true'
    const values = isTyped ? typedValues(typed) : savedValues(profile)
    return (
      <ProfilePage
        values={values}
        avatarUrl={profile.avatar}
        headerUrl={profile.header}
        verified={profile.fields.filter(({ verified_at }) => verified_at !== null).map(({ value }) => value)}
      />
    )
  },
})

async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const viewer = { id: session.accountId }
  const sent: Readonly<Record<string, unknown>> = input
  const text = (name: string) => String(sent[name] ?? '')
  const before = savedFields(savedValues(await loadProfile(ctx, session.accountId)))
  await updateProfile(ctx, viewer, {
    displayName: input.display_name,
    note: input.note,
    fields: rows.map((row) => ({ name: text(`field_name_${row}`), value: text(`field_value_${row}`) })),
    avatar: input.avatar ?? undefined,
    avatarDescription: input.avatar_description,
    header: input.header ?? undefined,
    headerDescription: input.header_description,
    locked: input.locked,
    bot: input.bot,
    discoverable: input.discoverable,
    indexable: input.indexable,
    hideCollections: input.hide_collections,
    attributionDomains: input.attribution_domains.split(/[\n,]/).filter((line) => line.trim() !== ''),
  })
  // A new picture replaces the old one whatever is ticked.
  if (input.remove_avatar && input.avatar === null) await removePicture(ctx, viewer, 'avatar')
  if (input.remove_header && input.header === null) await removePicture(ctx, viewer, 'header')
  return { notice: 'saved' as const, changed: changedFields(before, sent) }
}

async function loadProfile(ctx: Ctx, accountId: AccountId) {
  return presentProfile(ctx.config, await execute(ctx.db, loadOwnProfile(ctx, viewerById(accountId))))
}

/** The fields of the form as it would be sent unchanged. */
function savedFields(values: ProfileValues): Readonly<Record<string, string>> {
  const texts = values.fields.flatMap(({ name, value }, at) => [
    [`field_name_${at + 1}`, name],
    [`field_value_${at + 1}`, value],
  ])
  return {
    display_name: values.displayName,
    note: values.note,
    avatar: '',
    remove_avatar: 'false',
    avatar_description: values.avatarDescription,
    header: '',
    remove_header: 'false',
    header_description: values.headerDescription,
    ...Object.fromEntries(texts),
    locked: String(values.locked),
    bot: String(values.bot),
    discoverable: String(values.discoverable),
    indexable: String(values.indexable),
    hide_collections: String(values.hideCollections),
    attribution_domains: values.attributionDomains,
  }
}

function savedValues(profile: ReturnType<typeof presentProfile>): ProfileValues {
  return {
    displayName: profile.display_name,
    note: profile.note,
    avatarDescription: profile.avatar_description,
    headerDescription: profile.header_description,
    fields: rows.map((row) => profile.fields[row - 1] ?? { name: '', value: '' }),
    locked: profile.locked,
    bot: profile.bot,
    discoverable: profile.discoverable === true,
    indexable: profile.indexable,
    hideCollections: profile.hide_collections === true,
    attributionDomains: profile.attribution_domains.join('\n'),
  }
}

function typedValues(typed: (name: string) => string): ProfileValues {
  const isTicked = (name: string) => typed(name) === 'true'
  return {
    displayName: typed('display_name'),
    note: typed('note'),
    avatarDescription: typed('avatar_description'),
    headerDescription: typed('header_description'),
    fields: rows.map((row) => ({ name: typed(`field_name_${row}`), value: typed(`field_value_${row}`) })),
    locked: isTicked('locked'),
    bot: isTicked('bot'),
    discoverable: isTicked('discoverable'),
    indexable: isTicked('indexable'),
    hideCollections: isTicked('hide_collections'),
    attributionDomains: typed('attribution_domains'),
  }
}

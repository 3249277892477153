import * as z from 'zod'
import { ownerRole } from '../../../domain/policy/owners'
import { baseRole, type Permission, permissions } from '../../../domain/policy/permissions'
import {
  createRole,
  deleteRole,
  findRole,
  findRoles,
  type Role,
  updateRole,
} from '../../../domain/users/roles'
import { message } from '../../../lib/translate'
import { checkbox, checkboxes, checkboxValues, textField, tickedOf } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const permissionTexts: Readonly<Record<Permission, string>> = {
  administrator: message('Everything (administrator)'),
  viewDevops: message('See how the server works inside'),
  viewAuditLog: message('Read the audit log'),
  viewDashboard: message('See the dashboard'),
  manageReports: message('Handle reports'),
  manageFederation: message('Limit other servers'),
  manageSettings: message('Change settings'),
  manageBlocks: message('Block addresses and names'),
  manageTaxonomies: message('Review trends and hashtags'),
  manageAppeals: message('Decide about appeals'),
  manageUsers: message('Act on accounts'),
  manageInvites: message('End invitations'),
  manageRules: message('Write the rules'),
  manageAnnouncements: message('Announce'),
  manageCustomEmojis: message('Manage custom emojis'),
  manageWebhooks: message('Manage webhooks'),
  inviteUsers: message('Invite people'),
  manageRoles: message('Manage roles below the own'),
  manageUserAccess: message('Reset passwords and second factors'),
  deleteUserData: message('Delete data of accounts at once'),
  viewFeeds: message('Read timelines that are closed to others'),
}
const names = Object.keys(permissions).filter((key): key is Permission => key in permissions)

const form = z.object({
  name: textField(),
  color: textField(20),
  position: textField(10),
  highlighted: checkbox,
  require_two_factor: checkbox,
  ...checkboxes(names),
})
type Input = z.output<typeof form>

/** Permissions that the role grants by itself: an administrator's bit stands for no others here. */
function heldBy(role: Pick<Role, 'permissions'>): readonly Permission[] {
  return names.filter((name) => (role.permissions & permissions[name]) !== 0)
}

function orderOf(input: Input) {
  return {
    name: input.name,
    color: input.color,
    position: Number(input.position || '1'),
    highlighted: input.highlighted,
    requireTwoFactor: input.require_two_factor,
    permissions: tickedOf(names, input).reduce((bits, name) => bits | permissions[name], 0),
  }
}

const change: Required<Resource<typeof form, Role>>['change'] = {
  find: findRole,
  values: (role) => ({
    name: role.name,
    color: role.color,
    position: String(role.position),
    highlighted: String(role.highlighted),
    require_two_factor: String(role.requireTwoFactor),
    ...checkboxValues(names, heldBy(role)),
  }),
  run: (ctx, moderator, id, input) => updateRole(ctx, moderator, id, orderOf(input)),
}

const roles: Resource<typeof form, Role> = {
  path: '/admin/roles',
  title: message('Roles'),
  one: message('Role'),
  access: 'manageRoles',
  order: 600,
  intro: message(
    'What members may do beyond their own account. Nobody grants more than they hold, or acts on an equal role.',
  ),
  form,
  fields: [
    { name: 'name', label: message('Name'), maxlength: 100 },
    {
      name: 'color',
      label: message('Colour'),
      hint: message('As #1a7f37.'),
      maxlength: 20,
      isOptional: true,
    },
    {
      name: 'position',
      label: message('Rank'),
      hint: message('A number below your own.'),
      initial: '1',
      maxlength: 10,
    },
    { name: 'highlighted', label: message('Show it as a badge on profiles'), kind: 'checkbox' },
    { name: 'require_two_factor', label: message('Its holders need a second factor'), kind: 'checkbox' },
    ...names.map((name) => ({ name, label: permissionTexts[name], kind: 'checkbox' as const })),
  ],
  find: findRoles,
  pageLength: null,
  entry: ({ id, name, position, highlighted, permissions: held }) => ({
    id,
    name: id === baseRole ? 'Everybody' : name,
    badges: highlighted ? [message('badge')] : [],
    lines: [<HeldPermissions position={position} granted={heldBy({ permissions: held })} />],
  }),
  add: {
    label: message('Add a role'),
    run: (ctx, moderator, input) => createRole(ctx, moderator, { ...orderOf(input), collectionLimit: 10 }),
  },
  change,
  remove: {
    label: message('Delete'),
    effect: message('Its holders have no role afterwards.'),
    isOffered: ({ id }) => id !== baseRole && id !== ownerRole,
    run: deleteRole,
  },
}

interface HeldPermissionsProps {
  readonly position: number
  readonly granted: readonly Permission[]
}

function HeldPermissions({ position, granted }: HeldPermissionsProps) {
  const t = useTranslation()
  const texts = [
    t('rank {position}', { position: String(position) }),
    ...granted.map((one) => t(permissionTexts[one])),
  ]
  return <>{texts.join(' · ')}</>
}

export const rolesPage = memberPage(resourceList(roles))
export const rolePage = memberPage(resourceEntry({ ...roles, change }))

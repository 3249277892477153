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
import type { TextKey } from '../../../lib/translate'
import { checkbox, checkboxes, checkboxValues, textField, tickedOf } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const permissionTexts: Readonly<Record<Permission, TextKey>> = {
  administrator: 'admin.roles.everythingAdministrator',
  viewDevops: 'admin.roles.seeHowServerWorks',
  viewAuditLog: 'admin.roles.readAuditLog',
  viewDashboard: 'admin.roles.seeTheDashboard',
  manageReports: 'common.handleReports',
  manageFederation: 'admin.roles.limitOtherServers',
  manageSettings: 'admin.roles.changeSettings',
  manageBlocks: 'admin.roles.blockAddressesNames',
  manageTaxonomies: 'admin.roles.reviewTrendsHashtags',
  manageAppeals: 'admin.roles.decideAboutAppeals',
  manageUsers: 'admin.roles.actOnAccounts',
  manageInvites: 'admin.roles.endInvitations',
  manageRules: 'admin.roles.writeTheRules',
  manageAnnouncements: 'admin.announce',
  manageCustomEmojis: 'admin.roles.manageCustomEmojis',
  manageWebhooks: 'admin.roles.manageWebhooks',
  inviteUsers: 'common.invitePeople',
  manageRoles: 'admin.roles.manageRolesBelowOwn',
  manageUserAccess: 'admin.roles.resetPasswordsSecondFactors',
  deleteUserData: 'admin.roles.deleteDataAccountsOnce',
  viewFeeds: 'admin.roles.readTimelinesClosedOthers',
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
  title: 'admin.roles.roles',
  one: 'field.role',
  access: 'manageRoles',
  order: 600,
  intro: 'admin.roles.whatMembersMayDo',
  form,
  fields: [
    { name: 'name', label: 'field.name', maxlength: 100 },
    {
      name: 'color',
      label: 'field.colour',
      hint: 'admin.roles.colour.hint',
      maxlength: 20,
      isOptional: true,
    },
    {
      name: 'position',
      label: 'field.rank',
      hint: 'admin.roles.rank.hint',
      initial: '1',
      maxlength: 10,
    },
    { name: 'highlighted', label: 'admin.roles.showBadgeProfiles', kind: 'checkbox' },
    { name: 'require_two_factor', label: 'admin.roles.holdersNeedSecondFactor', kind: 'checkbox' },
    ...names.map((name) => ({ name, label: permissionTexts[name], kind: 'checkbox' as const })),
  ],
  find: findRoles,
  pageLength: null,
  entry: ({ id, name, position, highlighted, permissions: held }) => ({
    id,
    name: id === baseRole ? 'Everybody' : name,
    badges: highlighted ? ['admin.roles.badge'] : [],
    lines: [<HeldPermissions position={position} granted={heldBy({ permissions: held })} />],
  }),
  add: {
    label: 'admin.roles.addARole',
    run: (ctx, moderator, input) => createRole(ctx, moderator, { ...orderOf(input), collectionLimit: 10 }),
  },
  change,
  remove: {
    label: 'admin.delete',
    effect: 'admin.roles.holdersHaveNoRole',
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
    t('admin.roles.rankPosition', { position: String(position) }),
    ...granted.map((one) => t(permissionTexts[one])),
  ]
  return <>{texts.join(' · ')}</>
}

export const rolesPage = memberPage(resourceList(roles))
export const rolePage = memberPage(resourceEntry({ ...roles, change }))

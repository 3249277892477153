import * as z from 'zod'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlock,
  findUsernameBlocks,
  type UsernameBlockRow,
  updateUsernameBlock,
} from '../../../domain/sign-up-blocks/username-blocks'
import { BlockTabs } from '../../components/admin/block-tabs'
import { checkbox, textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({ username: textField(100), comparison: textField(20), allow_with_approval: checkbox })

function orderOf({ username, comparison, allow_with_approval: allowWithApproval }: z.output<typeof form>) {
  return { username, exact: comparison === 'equals', allowWithApproval }
}

const change: Required<Resource<typeof form, UsernameBlockRow>>['change'] = {
  find: findUsernameBlock,
  values: ({ username, exact, allowWithApproval }) => ({
    username,
    comparison: exact ? 'equals' : 'contains',
    allow_with_approval: String(allowWithApproval),
  }),
  run: (ctx, moderator, id, input) => updateUsernameBlock(ctx, moderator, id, orderOf(input)),
}

const blocks: Resource<typeof form, UsernameBlockRow> = {
  path: '/admin/username_blocks',
  title: 'admin.usernameBlocks.usernames',
  one: 'admin.usernameBlocks.blockUsername',
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/username_blocks" />,
  intro: 'admin.usernameBlocks.namesNobodyMaySign',
  form,
  fields: [
    { name: 'username', label: 'field.name', maxlength: 100 },
    {
      name: 'comparison',
      label: 'admin.usernameBlocks.namesToBlock',
      kind: 'choice',
      options: [
        { value: 'equals', text: 'admin.usernameBlocks.thisNameOnly' },
        { value: 'contains', text: 'admin.usernameBlocks.allNamesContain' },
      ],
      initial: 'equals',
    },
    { name: 'allow_with_approval', label: 'admin.letSignUpApproval', kind: 'checkbox' },
  ],
  find: findUsernameBlocks,
  pageLength: 40,
  entry: ({ id, username, exact, allowWithApproval }) => ({
    id,
    name: username,
    badges: [
      exact ? 'admin.usernameBlocks.thisNameOnly' : 'admin.usernameBlocks.alsoPart',
      ...(allowWithApproval ? (['admin.needsApproval'] as const) : []),
    ],
  }),
  add: {
    label: 'admin.usernameBlocks.blockAName',
    run: (ctx, moderator, input) => createUsernameBlock(ctx, moderator, orderOf(input)),
  },
  change,
  remove: {
    label: 'admin.lift',
    effect: 'admin.usernameBlocks.nameCanTakenAgain',
    run: deleteUsernameBlock,
  },
}

export const usernameBlocksPage = memberPage(resourceList(blocks))
export const usernameBlockPage = memberPage(resourceEntry({ ...blocks, change }))

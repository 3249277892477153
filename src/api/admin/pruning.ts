import * as z from 'zod'
import { Pruning } from '../../contract/entities/admin/maintenance'
import { pruneLimits } from '../../domain/pruning/prune'
import { loadState } from '../../domain/pruning/state'
import { presentPruning } from '../../view/present/admin-maintenance'
import { staff } from '../caller'
import { readEndpoint } from '../endpoint'

export const adminPruning = [
  readEndpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/pruning',
    summary: 'Size of the database and its budget, what was pruned, and what is pruned next',
    auth: staff('admin:read', 'viewDashboard'),
    input: z.object({}),
    output: Pruning,
    read: loadState,
    show: ({ config }, { found: { state, settings } }) =>
      presentPruning({
        state,
        limits: pruneLimits(config.plan, settings),
        isOn: settings.pruning,
      }),
  }),
]

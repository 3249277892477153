import * as z from 'zod'
import { PlatformUsage } from '../../contract/entities/admin/metrics'
import { loadUsage } from '../../domain/usage/read'
import { presentPlatformUsage } from '../../view/present/admin-metrics'
import { staff } from '../caller'
import { readEndpoint } from '../endpoint'

export const adminUsage = [
  readEndpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/usage',
    summary: 'Usage of every quota of the platform with a forecast, and what is given up to stay within them',
    auth: staff('admin:read', 'viewDashboard'),
    input: z.object({}),
    output: PlatformUsage,
    read: loadUsage,
    show: (_, { found }) => presentPlatformUsage(found),
  }),
]

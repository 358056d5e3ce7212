/** Sent with every response, including those of other handlers. */
export const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
  // Browsers obey it only over HTTPS.
  { key: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains' },
];

// For everything but pages. Their policy has a nonce, so middleware.ts sets it.
const NOTHING_LOADS = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
];
const NO_PAGES = ['/api/:path*', '/_next/static/:path*', '/_next/image'];

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Sentry, too: if bundled, each route would hold its own copy.
  serverExternalPackages: [
    'graphile-worker',
    'pg',
    'pino',
    'prom-client',
    '@prisma/client',
    '@sentry/nextjs',
  ],
  // `npm run check` checks the types of everything at once, tests and scripts included.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: '/:path*', headers: SECURITY_HEADERS },
    ...NO_PAGES.map((source) => ({ source, headers: NOTHING_LOADS })),
  ],
  logging: { incomingRequests: false },
  // Readiness compares what is applied with what is there.
  outputFileTracingIncludes: { '/api/health/ready': ['./prisma/migrations/**'] },
  // A process that mostly works need not hold every page; each is loaded when it is first asked for.
  // A build is made once from its sources; what a next build could reuse takes a fifth of the processor time to store.
  experimental: { preloadEntriesOnStart: false, turbopackFileSystemCacheForBuild: false },
};

export default config;

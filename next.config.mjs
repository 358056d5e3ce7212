/** Sent with every response, including those of other handlers. */
export const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
  // Browsers obey this only over HTTPS.
  { key: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains' },
];

// For everything except pages, whose policy has a nonce and is set by middleware.ts.
const NOTHING_LOADS = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
];
const NO_PAGES = ['/api/:path*', '/_next/static/:path*'];

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Closes Next's public call that scales pictures: nothing here uses it, and each call costs a tenth of a second.
  images: { unoptimized: true },
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
  // Readiness compares the applied migrations with these files.
  outputFileTracingIncludes: { '/api/health/ready': ['./prisma/migrations/**'] },
  experimental: {
    // A process that mostly works jobs need not hold every page; each is loaded on first use.
    preloadEntriesOnStart: false,
    // Storing the cache takes a fifth of a build's processor time, and most builds are the first.
    turbopackFileSystemCacheForBuild: false,
  },
};

export default config;

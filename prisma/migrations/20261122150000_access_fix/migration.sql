-- What is known of a server's channels: how to give the bot what it lacks is called the fix. A process of the version
-- before may still write the old name; then the next look at the server writes the new one.
update discord_server set channels = (
  select jsonb_agg(
    case when seen.channel ? 'accessMend'
      then (seen.channel - 'accessMend') || jsonb_build_object('accessFix', seen.channel -> 'accessMend')
      else seen.channel end
    order by seen.position)
  from jsonb_array_elements(discord_server.channels) with ordinality as seen (channel, position))
where channels::text like '%"accessMend"%';

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Marks the messages in which a required field can be missing: their own, or one of a message in them.</summary>
static class RequiredFields
{
    public static void Mark(IReadOnlyCollection<ProtoMessage> messages)
    {
        foreach (var message in messages)
            message.NeedsRequiredCheck = message.RequiredGroups.Count > 0 || message.Fields.Any(field => field.IsRequired);
        bool changed;
        do
        {
            changed = false;
            foreach (var message in messages.Where(message => !message.NeedsRequiredCheck))
            {
                if (!message.Fields.Any(field => field.Message?.NeedsRequiredCheck == true)) continue;
                message.NeedsRequiredCheck = changed = true;
            }
        }
        while (changed);
    }
}

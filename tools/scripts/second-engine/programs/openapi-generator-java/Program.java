import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.NftApi;
import org.openapitools.client.api.UserDataApi;
import org.openapitools.client.model.ApplicationUserSub;
import org.openapitools.client.model.Contract;
import org.openapitools.client.model.ContractRequest;
import org.openapitools.client.model.Nft;
import org.openapitools.client.model.NftMetadataRequest;
import org.openapitools.client.model.NftRequest;
import org.openapitools.client.model.UserDataChange;

/** Calls the three APIs with a client of openapi-generator. The client takes each API's address from the document. */
public class Program {
  interface Call {
    void make() throws ApiException;
  }

  static void expect(Object seen, Object expected, String what) {
    if (!expected.equals(seen)) throw new AssertionError(what + ": " + seen + ", expected " + expected);
  }

  static int statusOf(Call call) {
    try {
      call.make();
      return 200;
    } catch (ApiException refused) {
      return refused.getCode();
    }
  }

  static ApiClient withKey(String key) {
    ApiClient client = new ApiClient();
    client.setApiKey(key);
    return client;
  }

  public static void main(String[] arguments) throws ApiException {
    ApiClient server = withKey(System.getenv("KEY"));
    ApiClient user = new ApiClient();
    user.setBearerToken(System.getenv("TOKEN"));

    NftApi nft = new NftApi(server);
    Contract contract = nft.createContract(
        new ContractRequest().name("Java").symbol("JAVA").chain(ContractRequest.ChainEnum.MATIC), null);
    NftRequest request = new NftRequest()
        .destination(System.getenv("RECEIVER"))
        .metadata(new NftMetadataRequest().name("Seat 1"));
    Nft token = nft.mintToken(contract.getAddress(), request, null);
    List<Nft> tokens = nft.listTokens(contract.getAddress(), 3, null, null, null);
    expect(tokens.size(), 1, "tokens");
    expect(tokens.get(0).getId(), token.getId(), "the token's id");

    UserDataApi profile = new UserDataApi(user);
    profile.putUserData(new UserDataChange().userData(Map.of("email", "java@example.com")), null, "*");
    ApplicationUserSub mine = profile.getApplicationUserSub();

    UserDataApi b2b = new UserDataApi(server);
    expect(b2b.readUserData(mine).getUserData().get("email"), "java@example.com", "the e-mail");
    ApplicationUserSub nobody = new ApplicationUserSub().applicationUserSub("nobody");
    expect(statusOf(() -> b2b.readUserData(nobody)), 404, "the status of an unknown user");

    NftApi wrong = new NftApi(withKey("wrong"));
    expect(statusOf(() -> wrong.getContract(contract.getAddress())), 403, "the status of a wrong key");
  }
}
